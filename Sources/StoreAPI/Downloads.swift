public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/downloads`: one page of the list of downloads.
public struct DownloadList: Sendable, Codable {
    /// The statuses of the downloads on this page of the list.
    public var downloads: [DownloadStatus]
    /// The text to send as `after` in the request for the next page of downloads; `nil` on the last page.
    public var next: String?

    /// Creates one page of the list of downloads.
    public init(downloads: [DownloadStatus], next: String? = nil) {
        self.downloads = downloads
        self.next = next
    }
}

extension DownloadList: SchemaProviding {
    public static let schemaName = "DownloadList"
    public static let schema = Schema.document(
        "The active downloads, and the last ones that ended since the daemon's start.",
        [.required("downloads", .array(of: DownloadStatus.self)), .nextPage])
}

extension DownloadStatus: SchemaProviding {
    public static let schemaName = "Download"
    /// The JSON schema of a download's properties, to which download events add further ones.
    public static let schema = Schema.document(
        "The current state of a download. All values are absolute.",
        [
            .required("operation", .nonEmptyText),
            .required("action", .enumeration(of: OperationAction.self)),
            .required("productIdentifier", .nonEmptyText),
            .required("kind", Schema.productKind.nullable, "`null` if only the history still holds the download."),
            .required("store", .nonEmptyText),
            .required(
                "state", .enumeration(of: DownloadState.self),
                "The last three are final; every download ends in exactly one of them."),
            .required(
                "activity", .enumeration(of: DownloadActivity.self).nullable, "`null` once the download has ended."),
            .required("reason", .text.nullable, "Why the download waits, or who paused it; text for people."),
            .required(
                "reasonCode", .enumeration(of: DownloadReason.self).nullable,
                "Why the download waits or is paused, for programs; `null` exactly if `reason` is."),
            .required("retryAt", .dateTime.nullable, "When the download resumes by itself, if that is known."),
            .required(
                "attempt", .count,
                "The number of the current attempt, counted from 1: one more after each that failed; a pause is no failure."
            ),
            .required("priority", .integer, "Among waiting downloads, the one of the greatest priority starts first."),
            .required("bytesReceived", .count),
            .required("bytesExpected", .count.nullable, "`null` if unknown."),
            .required("fraction", .fraction.nullable, "`null` if unknown."),
            .required("rate", .count.nullable, "Bytes per second, averaged over a few seconds."),
            .required("secondsLeft", .count.nullable, "`null` if unknown."),
            .required("source", .text.nullable, "The address that the bytes come from, without credentials."),
            .required("error", .reference(to: ErrorReport.self).nullable),
        ])
}

/// The JSON body of the request `PATCH /v1/downloads/{id}`: the properties of a download to change, at least one.
public struct DownloadChangeRequest: Sendable, Codable {
    /// Whether to pause the download until another request resumes it; `nil` changes nothing.
    public var paused: Bool?
    /// The download's new priority; `nil` changes nothing.
    ///
    /// Among waiting downloads, the one with the greatest priority starts first.
    public var priority: Int?
    /// The download's new rate limit in bytes per second; 0 removes the limit, and `nil` changes nothing.
    public var rateLimit: Int?

    /// Creates the request to change a download; a property that is `nil` is not changed.
    public init(paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil) {
        self.paused = paused
        self.priority = priority
        self.rateLimit = rateLimit
    }
}

extension DownloadChangeRequest: SchemaProviding {
    public static let schemaName = "DownloadChangeRequest"
    public static let schema = Schema.request(
        "The properties of a download to change.", minimumCount: 1,
        [
            .optional("paused", .boolean, "Whether the download is paused until it is resumed by another request."),
            .optional(
                "priority", .priority, "Among waiting downloads, the one of the greatest priority starts first."),
            .optional("rateLimit", .count, "The limit in bytes per second; 0 is no limit of its own."),
        ])
}
