import StoreModel

/// The list of the files that were exported into a directory, by which an update replaces and removes only these.
///
/// It is the hidden file `.storectl-export.json` in the directory.
struct ExportManifest: Sendable, Hashable, Codable {
    static let fileName = ".storectl-export.json"
    static let sizeLimit = 64 << 20

    /// One exported pack.
    struct Pack: Sendable, Hashable, Codable {
        /// The name of the pack's directory, or of its file without extension.
        var name: String
        /// The operation that installed the exported version; `nil` for a pack that a user placed by hand.
        var operation: OperationID?
        /// The SHA-256 of each file as it was written, by its path in the directory.
        var files: [String: SHA256Digest]
    }

    /// The exported packs by format and product identifier.
    var formats: [String: [String: Pack]] = [:]
}
