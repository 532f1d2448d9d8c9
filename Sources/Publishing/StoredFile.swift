import FoundationEssentials
import StoreModel

/// A file that clients fetch, kept under its hash so that no version of it ever replaces another.
struct StoredFile: Sendable, Hashable, Codable {
    /// Beneath the folder of objects and beneath what is served: `archives/HASH.zip`.
    var path: String
    /// In bytes.
    var size: Int
    var sha256: SHA256Digest

    init(folder: StoreLayout.Folder, suffix: String, size: Int, sha256: SHA256Digest) {
        path = "\(folder.rawValue)/\(sha256.hex).\(suffix)"
        self.size = size
        self.sha256 = sha256
    }

    /// A document.
    init(folder: StoreLayout.Folder, data: Data) {
        self.init(folder: folder, suffix: "json", size: data.count, sha256: SHA256Digest(of: data))
    }

    /// The folder that it lies in.
    var folder: String { String(path.prefix { $0 != "/" }) }

    /// The last part of the path.
    var name: String { String(path.drop { $0 != "/" }.dropFirst()) }
}

/// Where things lie in a store's folder.
enum StoreLayout {
    static let state = "store.json"
    static let lock = "lock"
    static let objects = "objects"
    static let incoming = "incoming"
    static let published = "public"
    static let index = "catalogue.json"

    /// The folders of files that are named by their hash.
    enum Folder: String, Sendable, CaseIterable {
        case archives, catalogue, details, images, tables
    }

    /// Whether a name in one of those folders is one that this tool gave: 64 hexadecimal digits and a suffix.
    /// What a publisher put there by hand is left alone.
    static func isObjectName(_ name: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        return SHA256Digest(hex: String(name[..<dot])) != nil
    }
}
