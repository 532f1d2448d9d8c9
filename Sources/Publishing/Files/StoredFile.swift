import FoundationEssentials
import StoreModel

/// A reference to a file that clients fetch, which is named by its hash so that no version replaces another.
struct StoredFile: Sendable, Hashable, Codable {
    /// The path of the file relative to the private and to the public directory, such as `archives/HASH.zip`.
    var path: String
    /// The size in bytes of the file that clients fetch.
    var size: Int
    var sha256: SHA256Digest

    init(directory: StoreLayout.ObjectDirectory, suffix: String, size: Int, sha256: SHA256Digest) {
        path = "\(directory.rawValue)/\(sha256.hex).\(suffix)"
        self.size = size
        self.sha256 = sha256
    }

    /// Creates the reference to a JSON document from the document's hash and size.
    init(directory: StoreLayout.ObjectDirectory, data: Data) {
        self.init(directory: directory, suffix: "json", size: data.count, sha256: SHA256Digest(of: data))
    }

    /// The first component of the file's path: the name of its directory.
    var directory: String { String(path.prefix { $0 != "/" }) }

    /// The last component of the file's path: the name of the file.
    var name: String { String(path.drop { $0 != "/" }.dropFirst()) }
}
