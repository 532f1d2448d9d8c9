import StoreModel

extension Components {
    /// What is done, and what was.
    static let downloads: [String: Schema] = [
        "DownloadList": .document(
            "What runs, and the last that ended since the daemon's start.",
            [.member("downloads", .list(of: "Download")), next]),
        "Download": .document(
            "A download as it stands. All values are absolute.",
            [
                .member("operation", .name),
                .member("action", .words(of: OperationAction.self)),
                .member("productIdentifier", .name),
                .member("kind", kind.orNull, "`null` where only the history still tells of the download."),
                .member("store", .name),
                .member("state", .words(of: DownloadState.self), "The last three are ends; each has exactly one."),
                .member("activity", .words(of: DownloadActivity.self).orNull, "`null` once it has ended."),
                .member("reason", .text.orNull, "Why it waits, or who paused it."),
                .member("retryAt", .time.orNull, "When it goes on by itself, where that is known."),
                .member("attempt", .count, "The transfers so far."),
                .member("priority", .whole, "Among those that wait for their turn the higher comes first."),
                .member("bytesReceived", .count),
                .member("bytesExpected", .count.orNull, "`null` where unknown."),
                .member("fraction", .fraction.orNull, "`null` where unknown."),
                .member("rate", .count.orNull, "Bytes in a second, smoothed over a few."),
                .member("secondsLeft", .count.orNull, "`null` where unknown."),
                .member("source", .text.orNull, "Where the bytes come from now, without what may be secret."),
                .member("error", .component("Error").orNull),
            ]),
        "Installation": .document(
            "The task that works on it now, or the pack where there is nothing to do.",
            [
                .member("operation", .name.orNull, "`null` where none was begun and none is known."),
                .member("download", .component("Download").orNull, "`null` where there is nothing to do."),
                .member("joined", .flag, "Whether the task ran already, for someone else."),
                .member("pack", .component("Pack").orNull, "What is installed; `null` where a task runs."),
            ]),
        "OperationList": .document(
            "What was done, the newest first.", [.member("operations", .list(of: "Operation")), next]),
        "Operation": .document("One operation as the history keeps it.", operation),
        "Uninstallation": .document(
            "The operation that removed a pack.",
            operation + [
                .member(
                    "unneeded", .list(of: .name),
                    "What the pack needed, came from a store, and is needed and used by nothing any more.")
            ]),
        "Snapshot": .document(
            "Everything as it stood right after the event with this sequence number.",
            [
                .member("sequence", .count),
                .member("downloads", .list(of: "Download")),
                .member("packs", .list(of: "Pack")),
                .optional("skin", .component("SkinUse")),
            ]),
    ]

    private static let operation: [Schema.Member] = [
        .member("operation", .name),
        .member("action", .words(of: OperationAction.self)),
        .member("productIdentifier", .name),
        .member("store", .name.orNull),
        .member("version", version),
        .member("startedAt", .time),
        .member("endedAt", .time.orNull),
        .member("end", .words(of: OperationEnd.self).orNull, "`null` while it runs."),
        .member("error", .component("Error").orNull),
    ]
}
