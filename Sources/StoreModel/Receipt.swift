public import FoundationEssentials

/// What lies as `.receipt.json` in every pack that was installed: by which operation, from where, and each file as it
/// was put there. It is written before the pack takes its place, so that the one rename commits both, and the
/// database can be rebuilt from the receipts alone.
public struct Receipt: Sendable, Hashable, Codable {
    public static let fileName = ".receipt.json"

    /// Of the receipt's own layout; a reader refuses what it does not know.
    public var format = 1
    public var operation: OperationID
    public var store: String
    public var productIdentifier: String
    public var kind: ProductKind
    public var name: LocalizedText
    public var version: Version?
    public var price: Price
    public var installedAt: Date
    /// Not to be updated by an `update` that does not name it.
    public var held: Bool
    public var dependencies: [String]
    /// What the pack may do, all of it consented to; `nil` where its kind asks for nothing.
    public var permissions: [Permission]?
    /// The archive that it came from, as far as the store tells: what an update of a product without versions is
    /// recognised by.
    public var archive: Archive
    /// In the order of their paths.
    public var files: [File]

    public struct Archive: Sendable, Hashable, Codable {
        public var url: URL?
        public var size: Int
        public var sha256: SHA256Digest
        /// The entity tag that the server gave with it.
        public var etag: String?

        public init(url: URL?, size: Int, sha256: SHA256Digest, etag: String?) {
            self.url = url
            self.size = size
            self.sha256 = sha256
            self.etag = etag
        }
    }

    public struct File: Sendable, Hashable, Codable {
        /// Relative to the pack's folder, with `/` between the parts.
        public var path: String
        public var size: Int
        public var sha256: SHA256Digest

        public init(path: String, size: Int, sha256: SHA256Digest) {
            self.path = path
            self.size = size
            self.sha256 = sha256
        }
    }

    public init(
        operation: OperationID, store: String, productIdentifier: String, kind: ProductKind, name: LocalizedText,
        version: Version?, price: Price, installedAt: Date, held: Bool = false, dependencies: [String],
        permissions: [Permission]? = nil, archive: Archive, files: [File]
    ) {
        self.operation = operation
        self.store = store
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.name = name
        self.version = version
        self.price = price
        self.installedAt = installedAt
        self.held = held
        self.dependencies = dependencies
        self.permissions = permissions
        self.archive = archive
        self.files = files
    }

    /// Bytes of the pack's files, without the receipt.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}
