import StoreModel

extension Components {
    /// What the stream of events tells. There may come more types of them.
    static let events: [String: Schema] = [
        "Event": Schema(
            .either(
                ["DownloadEvent", "PackEvent", "CatalogueEvent", "UpdatesEvent", "SkinEvent"].map(Schema.component)),
            "Something that happened: the `data` of one message of the stream. A hint, not the truth: whoever missed "
                + "some takes a snapshot."),
        "DownloadEvent": event("download", "A download changed its state, or came further.", .component("Download")),
        "PackEvent": event(
            "pack", "A pack was installed, updated or removed, or found damaged.",
            .document(
                "What became of a pack.",
                [
                    .member("productIdentifier", .name),
                    .member("kind", kind),
                    .member("change", .words(["installed", "updated", "removed", "damaged"])),
                    .member("version", version),
                    .optional("damages", .count, "How many files are not as they were installed; only with `damaged`."),
                ])),
        "CatalogueEvent": event(
            "catalogue", "A store's catalogue changed.", .document("Which.", [.member("store", .name)])),
        "UpdatesEvent": event(
            "updates", "There are newer versions of which nobody was told before.",
            .document("Of which packs.", [.member("updates", .list(of: "Update"))])),
        "SkinEvent": event(
            "skin", "Another skin is in use, or the same in another version.",
            .document(
                "Which, and what is another.",
                skinUse + [
                    .optional(
                        "change", .component("SkinDifference"),
                        "Left out where so much is another that the skin is better read anew.")
                ])),
    ]

    private static func event(_ type: String, _ summary: String, _ content: Schema) -> Schema {
        let head = Schema.document(
            "What every event has.",
            [
                .member("sequence", .count, "Only grows, also across restarts of the daemon."),
                .member("time", .time),
                .member("type", .words([type])),
            ])
        return Schema(.all([head, content]), summary)
    }
}
