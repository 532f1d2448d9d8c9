extension Components {
    static let requests: [String: Schema] = [
        "InstallRequest": .request(
            "What to install.",
            [
                .member("productIdentifier", .text, "Counts for nothing where a file is given."),
                .optional(
                    "store", .name.orNull, "Without one, the store of highest `priority` that has the product."),
                .optional(
                    "file", .name.orNull,
                    "Instead of a store: the absolute path of a ZIP on this machine, installed as if from an "
                        + "unsigned store."),
                .optional("consent", permissions.orNull, "What it, and what it needs, may do."),
                .optional(
                    "priority", .priority.orNull,
                    "Among downloads that wait for their turn the higher comes first; 0 unless given."),
                .optional(
                    "rateLimit", .count.orNull,
                    "Bytes a second that it, and what it needs, may bring, each; 0 is without a limit of its own."),
            ]),
        "DownloadChangeRequest": .request(
            "How a download is to run.", fewest: 1,
            [
                .optional("paused", .flag, "Whether it waits until somebody says that it may go on."),
                .optional(
                    "priority", .priority, "Among downloads that wait for their turn the higher comes first."),
                .optional("rateLimit", .count, "Bytes a second; 0 is without a limit of its own."),
            ]),
        "AddStoreRequest": .request(
            "The store to use.",
            [
                .member("name", .text(.storeName)),
                .member("url", .address, "Of the store's folder, or of the catalogue itself."),
                .optional("unsigned", .flag.orNull, "Take it although it is not signed."),
                .optional(
                    "priority", .priority.orNull,
                    "Where several stores have a product, the greatest wins; 0 unless given."),
                .optional("token", .text.orNull, "Proves to the store who asks. It is kept, and no answer holds it."),
                .optional("netrc", .flag.orNull, "Take user and password from the user's `.netrc`."),
            ]),
        "UpdateRequest": .request(
            "What to bring to the version of its store.",
            [
                .optional(
                    "productIdentifiers", .list(of: .name).orNull,
                    "Without them, all that are not held and ask for no more than they may do."),
                .optional("consent", permissions.orNull, "What the new versions, and what they need, may do."),
            ]),
        "PackChangeRequest": .request(
            "Whether a pack is left alone by updates that do not name it.", [.member("held", .flag)]),
        "SettingRequest": .request(
            "The new value of a setting.", [.member("value", .text, "As text, whatever the setting's type.")]),
    ]
}
