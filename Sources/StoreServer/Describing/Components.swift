import StoreModel

/// The documents of the interface by name, as Sources/StoreAPI and Sources/StoreModel write them.
enum Components {
    static let all: [String: Schema] = requests.merging(daemon) { one, _ in one }.merging(products) { one, _ in one }
        .merging(packs) { one, _ in one }.merging(downloads) { one, _ in one }.merging(events) { one, _ in one }
        .merging(skins) { one, _ in one }.merging(scenario) { one, _ in one }

    // MARK: What many documents have

    static let permissions = Schema.list(of: .text(.permission))
    /// `null` in format 1, which has none.
    static let version = Schema.text.orNull
    static let states = Schema.list(of: .words(of: ProductState.self))
    static let kind = Schema.name.with("`sticker`, `skin`, `emoji`, `plugin`, or what the store says.")
    /// The members that say how a list goes on.
    static let next = Schema.Member.optional(
        "next", .name, "Where more follow: what to ask for as `after`. Without it this is the end of the list.")

    /// Text for people, in no particular language or by language tag.
    static let localizedText = Schema(.either([.text, Schema(.map(to: .text))]))

    // MARK: The daemon, its settings, and errors

    private static let daemon: [String: Schema] = [
        "Status": .document(
            "What the daemon says of itself.",
            [
                .member("running", .flag),
                .member("version", .name, "Of the program."),
                .member("apiVersion", .whole(in: 1...Int.max), "Of this interface."),
                .optional("pid", .whole(in: 1...Int.max)),
                .optional("startedAt", .time),
                .optional("home", .component("Home")),
                .optional("activeDownloads", .count, "Tasks that run, wait or are paused."),
                .optional("observers", .count, "Readers of events."),
                .optional("sequence", .sequence, "The number of the newest event."),
                .optional("warnings", .list(of: .text), "What is not as it should be, and works all the same."),
            ]),
        "Home": .document(
            "The folders that a daemon works on, absolute.",
            [.member("data", .name), .member("cache", .name), .member("config", .name), .member("run", .name)]),
        "SettingList": .document("All settings.", [.member("settings", .list(of: "Setting"))]),
        "Setting": .document(
            "One setting.",
            [
                .member("key", .name),
                .member("value", .text, "As text, whatever the setting's type."),
                .member("origin", .name, "`default`, a file's path, or a variable's name."),
                .member("summary", .text),
                .member("needsRestart", .flag, "Whether it only counts from the daemon's next start on."),
            ]),
        "Error": .document(
            "Why something failed.",
            [
                .member("code", .text(.errorCode), "A stable word; there may come more of them."),
                .member("message", .text, "What failed, on what and why."),
                .optional("hint", .text, "What to do next."),
                .member("exitCode", exitCode),
                .optional(
                    "permissions", permissions, "What has to be consented to before the same request can succeed."),
            ]),
        "Problem": .document(
            "An error as RFC 9457 wants it.",
            [
                .member("type", .name, "Always `about:blank`: the code says it all."),
                .member("title", .name),
                .member("status", .whole(in: 400...599), "The HTTP status."),
                .member("detail", .text, "What failed, on what, why, and what to do next."),
                .member("code", .text(.errorCode), "A stable word; there may come more of them."),
                .member("exitCode", exitCode),
                .optional(
                    "permissions", permissions, "What has to be consented to before the same request can succeed."),
            ]),
    ]

    private static let exitCode = Schema.whole(in: 0...255).with("What the command line ends with for it.")
}
