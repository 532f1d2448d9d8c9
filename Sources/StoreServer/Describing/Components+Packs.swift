import StoreModel

extension Components {
    /// What is installed.
    static let packs: [String: Schema] = [
        "PackList": .document("What is installed.", [.member("packs", .list(of: "Pack")), next]),
        "Pack": .document(
            "A pack of the library.",
            [
                .member("productIdentifier", .name),
                .member("store", .name.orNull, "`null` for a folder that someone put there by hand."),
                .member("operation", .name.orNull, "That brought it; another one brings another version."),
                .member("kind", kind),
                .member("name", .text, "In the language of whoever asked."),
                .member("version", version),
                .member("path", .name, "Absolute."),
                .member("size", .count, "Bytes of the pack's files, without the receipt."),
                .member("installedAt", .time),
                .member("held", .flag, "Not updated by an update that does not name it."),
                .member("permissions", permissions, "What it may do, all of it consented to."),
                .member("state", states, "The first is the one to show."),
            ]),
        "Verification": .document(
            "What of a pack is not as it was installed.",
            [.member("productIdentifier", .name), .member("intact", .flag), .member("damages", .list(of: "Damage"))]),
        "Damage": .document(
            "One file of a pack that is not as it was installed.",
            [
                .member("path", .name, "Relative to the pack's folder, which is `.` itself."),
                .member("damage", .words(["missing", "changed", "added", "replaced", "unreadable", "permissions"])),
            ]),
        "UpdateList": .document(
            "What could be updated, and why not what is not.",
            [
                .member("updates", .list(of: "Update")),
                .member("warnings", .list(of: .text), "Stores that could not be asked, with the reason."),
                .optional("error", .component("Error"), "Why the first of them could not."),
            ]),
        "Update": .document(
            "A newer version of an installed pack, or why there can be none.",
            [
                .member("productIdentifier", .name),
                .member("store", .name),
                .member("installed", version),
                .member("available", version),
                .member("heldBack", .text.orNull, "Why an update without a name leaves it alone."),
                .member("permissions", permissions, "What the newer version may do beyond what was consented to."),
            ]),
        "ResultList": .document("One for each product.", [.member("results", .list(of: "Result"))]),
        "Result": .document(
            "What became of one product of several.",
            [
                .member("productIdentifier", .name),
                .member("operation", .name.orNull, "`null` where none was begun."),
                .member("end", .words(of: OperationEnd.self).orNull, "`null` while it runs, and where none was begun."),
                .member("error", .component("Error").orNull),
            ]),
        "StickerPackList": .document("The sticker packs.", [.member("packs", .list(of: "StickerPack"))]),
        "StickerPack": .document(
            "A sticker pack as a sticker tray shows it.",
            [
                .member("productIdentifier", .name),
                .member("name", localizedText),
                .optional("publisher", .text),
                .optional("license", .text),
                .member("version", version),
                .member("operation", .name.orNull, "That brought it; another one brings other stickers."),
                .member("path", .name, "Absolute."),
                .member("cover", .text.orNull, "The picture that stands for the pack, relative to its folder."),
                .member("stickers", .list(of: "Sticker")),
                .member("count", .count),
            ]),
        "Sticker": .document(
            "One sticker of a pack.",
            [
                .member("id", .text, "Unique in its pack."),
                .member("file", .name, "Relative to the pack's folder."),
                .member("emoji", .list(of: .text)),
                .member("keywords", .list(of: .text)),
                .member("description", localizedText.orNull),
            ]),
    ]
}
