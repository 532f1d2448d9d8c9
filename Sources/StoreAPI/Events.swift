public import StoreModel
public import StoreOpenAPI

extension Event: SchemaProviding {
    public static let schemaName = "Event"
    public static let schema = Schema.oneOf(
        [
            .reference(to: DownloadEvent.self), .reference(to: PackEvent.self), .reference(to: CatalogueEvent.self),
            .reference(to: UpdatesEvent.self), .reference(to: SkinEvent.self),
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
            "pack", "A pack was installed, updated or removed, or was found damaged.",
            .document(
                "The change of the pack.",
                [
                    .required("productIdentifier", .nonEmptyText),
                    .required("kind", .productKind),
                    .required("change", .enumeration(["installed", "updated", "removed", "damaged"])),
                    .required("version", .version),
                    .optional(
                        "damages", .count,
                        "The number of files that differ from what was installed; only with `damaged`."),
                ]))
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
