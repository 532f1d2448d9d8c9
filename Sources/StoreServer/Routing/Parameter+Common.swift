import StoreAPI
import StoreModel
import StoreOpenAPI

// Parameters that have the same meaning in several routes.
extension Parameter {
    /// The descriptions of path parameters by name, for endpoints that do not describe their own.
    static let ofPaths: [String: Parameter] = Dictionary(
        uniqueKeysWithValues: [
            ("id", "A productIdentifier.", InstalledPack.example.productIdentifier),
            ("store", "The name of a store.", StoreSummary.example.name),
            ("name", "The name of a store.", StoreSummary.example.name),
            ("operation", "The identifier of an operation.", OperationRecord.example.operation.rawValue),
            ("key", "The name of a setting.", SettingDocument.example.key),
            ("path", "The relative path of a file, with its segments separated by `/` or `%2F`.", "smile.png"),
        ].map { name, summary, example in
            (name, .path(name, .nonEmptyText, summary, example: .string(example)))
        })
}

extension Parameter {
    /// The header `Storectl-Viewer`: the name of a client that shows its user how operations end.
    static let viewer = Parameter.header(
        StoreAPI.viewerHeader, .text,
        "A name that the client chose for itself at random, of at most \(APIRequest.maximumViewerLength) characters, if it shows a "
            + "person how the operations end that it begins. The desktop shows no notification of those that end while the "
            + "client has an event stream with the same name. A longer name, and an empty one, count as none.")
}

extension [Parameter] {
    /// The description of the header `Accept-Language`, which selects the language of names.
    static let languages = [
        Parameter.header(
            "Accept-Language", .text, "The preferred languages of names. Malformed elements are ignored.")
    ]

    /// The descriptions of the headers for range and conditional requests, which every route of files supports.
    static let ofFiles = [
        Parameter.header("Range", .text, "One range of bytes. The whole file is returned for anything else."),
        .header("If-Range", .text, "The entity tag or time for which the range holds."),
        .header("If-Modified-Since", .text, "The `Last-Modified` of the copy that the client has."),
    ]

    /// The descriptions of the query parameters of a list that is returned in pages.
    static func pages(of range: ClosedRange<Int> = 1...1000, _ summary: String) -> [Parameter] {
        [
            .query("limit", .integer(in: range), summary),
            .query("after", .nonEmptyText, "The value of `next` on the previous page."),
        ]
    }
}
