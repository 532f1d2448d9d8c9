public import StoreModel
public import StoreOpenAPI

extension Event: SchemaProviding {
    public static let schemaName = "Event"
    public static let schema = Schema.oneOf(
        [
            .reference(to: DownloadEvent.self), .reference(to: PackEvent.self), .reference(to: StoreEvent.self),
            .reference(to: TrustEvent.self), .reference(to: PurchaseEvent.self), .reference(to: SettingEvent.self),
            .reference(to: CatalogueEvent.self),
            .reference(to: UpdatesEvent.self), .reference(to: SkinEvent.self),
            .reference(to: StickersEvent.self),
        ]
    ).described(
        as:
            "A change, as the `data` of one message of the event stream. Later releases may add types. A client that missed "
            + "events takes a snapshot.")

    /// Returns the JSON schema of an event of one type: the properties that all events have, and those of this type.
    fileprivate static func schema(_ type: String, _ description: String, _ content: Schema) -> Schema {
        let common = Schema.document(
            "The properties of every event.",
            [
                .required("sequence", .count, "Increases with every event, also across restarts of the daemon."),
                .required("time", .dateTime),
                .required("type", .enumeration([type])),
            ])
        return Schema(.allOf([common, content]), description)
    }

    /// The provider of the JSON schema of events of type `download`.
    public enum DownloadEvent: SchemaProviding {
        public static let schemaName = "DownloadEvent"
        public static let schema = Event.schema(
            "download", "The state or the progress of a download changed.", .reference(to: DownloadStatus.self))
    }

    /// The provider of the JSON schema of events of type `pack`.
    public enum PackEvent: SchemaProviding {
        public static let schemaName = "PackEvent"
        public static let schema = Event.schema(
            "pack", "A pack was installed, updated, held or removed, or was found damaged, or its states changed.",
            .document(
                "The change of the pack.",
                [
                    .required("productIdentifier", .nonEmptyText),
                    .required("kind", .productKind),
                    .required(
                        "change", .enumeration(of: PackChange.Change.self),
                        "`held`: `held` changed. `changed`: other properties changed, such as `state`."),
                    .required("version", .version),
                    .optional(
                        "damages", .count,
                        "The number of files that differ from what was installed; only with `damaged`."),
                    .optional(
                        "held", .boolean, "Whether updates skip the pack unless they name it; absent with `removed`."),
                    .optional(
                        "pack", .reference(to: InstalledPack.self),
                        "The pack after the change, with its name in the default language; absent with `removed`."),
                    .optional(
                        "names", .localizedText,
                        Schema.localizedNote("The name in all languages; absent if the pack has only one.")),
                ]))
    }

    /// The provider of the JSON schema of events of type `store`.
    public enum StoreEvent: SchemaProviding {
        public static let schemaName = "StoreEvent"
        public static let schema = Event.schema(
            "store", "A store was added, changed or removed, or its catalogue was fetched.",
            .document(
                "The store.",
                [
                    .required("store", .nonEmptyText, "Its name."),
                    .required(
                        "summary", .reference(to: StoreSummary.self).nullable, "`null` if the store was removed."),
                ]))
    }

    /// The provider of the JSON schema of events of type `trust`.
    public enum TrustEvent: SchemaProviding {
        public static let schemaName = "TrustEvent"
        public static let schema = Event.schema(
            "trust", "The basis on which a store's catalogue is accepted changed.",
            .document(
                "The store.",
                [
                    .required("store", .nonEmptyText, "Its name."),
                    .required(
                        "trust", .enumeration(of: StoreTrust.self).nullable,
                        "`unsigned`: the user accepted the store without a signature. `null` if the store was removed."),
                    .required(
                        "fingerprint", .text(.sha256).nullable, "That of the root with which a signed store was added."),
                    .required("rootVersion", .positiveInteger.nullable, "The version of the root that is trusted now."),
                ]))
    }

    /// The provider of the JSON schema of events of type `purchase`.
    public enum PurchaseEvent: SchemaProviding {
        public static let schemaName = "PurchaseEvent"
        public static let schema = Event.schema(
            "purchase", "A purchase was recorded or revoked.",
            .document(
                "The purchase.",
                [
                    .required("productIdentifier", .nonEmptyText),
                    .required("grantedAt", .dateTime.nullable, "`null` if the purchase was revoked."),
                ]))
    }

    /// The provider of the JSON schema of events of type `setting`.
    public enum SettingEvent: SchemaProviding {
        public static let schemaName = "SettingEvent"
        public static let schema = Event.schema(
            "setting", "A setting has another value, or its value another source.",
            .reference(to: SettingState.self))
    }

    /// The provider of the JSON schema of events of type `catalogue`.
    public enum CatalogueEvent: SchemaProviding {
        public static let schemaName = "CatalogueEvent"
        public static let schema = Event.schema(
            "catalogue", "A store's catalogue changed.",
            .document("The store.", [.required("store", .nonEmptyText)]))
    }

    /// The provider of the JSON schema of events of type `updates`.
    public enum UpdatesEvent: SchemaProviding {
        public static let schemaName = "UpdatesEvent"
        public static let schema = Event.schema(
            "updates", "Newer versions were found that no earlier event reported.",
            .document("The updates.", [.required("updates", .array(of: AvailableUpdate.self))]))
    }

    /// The provider of the JSON schema of events of type `stickers`.
    public enum StickersEvent: SchemaProviding {
        public static let schemaName = "StickersEvent"
        public static let schema = Event.schema(
            "stickers", "One of the user's lists of stickers changed, or the order of the sticker packs.",
            .document(
                "The complete list after the change.",
                [
                    .required("list", .enumeration(of: StickerLists.List.self)),
                    .required(
                        "stickers", .array(of: StickerName.self),
                        "Those of the list that are installed; empty for `order`."),
                    .required(
                        "packs", .array(of: .nonEmptyText),
                        "For `order`: the `productIdentifier`s of the packs whose order the user has set."),
                ]))
    }

    /// The provider of the JSON schema of events of type `skin`.
    public enum SkinEvent: SchemaProviding {
        public static let schemaName = "SkinEvent"
        public static let schema = Event.schema(
            "skin", "Another skin is in use, or another version of the same skin.",
            .document(
                "The skin in use, and the difference.",
                SkinUse.schemaProperties + [
                    .required(
                        "change", .reference(to: SkinDifference.self).nullable,
                        "`null` if the difference is so large that the client has to read the skin again.")
                ]))
    }
}
