import FoundationEssentials

/// The place of a signed store's files on its server: the directory that contains `catalogue.json` and `metadata`.
struct StoreLocation: Sendable {
    private let directory: URLComponents

    /// Finds the directory of a store from the URL with which the store was added: of the directory, or of its catalogue.
    init(_ url: URL) {
        var components = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) ?? URLComponents()
        var path = components.percentEncodedPath
        if path.lowercased().hasSuffix(".json") {
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        while path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath = path
        directory = components
    }

    /// Returns the URL of a file of the store.
    ///
    /// - Parameter path: the file's path in the store, percent-encoded.
    func url(_ path: String) -> URL? {
        var components = directory
        components.percentEncodedPath += "/" + path
        return components.url
    }

    /// Returns the URL of a file of the store's metadata, whose name is percent-encoded.
    func metadata(_ name: String) -> URL? { url("metadata/" + name) }

    /// The name of the root with which clients of a store begin that know only its fingerprint.
    static let firstRoot = "1.root.json"
}
