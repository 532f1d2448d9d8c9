public import FoundationEssentials

/// The receipt of an installed pack (`.receipt.json`): what installed it, where it came from, and its files' hashes.
///
/// The receipt is written before the pack is moved into place, so that one rename commits the pack with its receipt,
/// and the database can be rebuilt from the receipts.
public struct Receipt: Sendable, Hashable, Codable {
    /// The file name of the receipt, which lists an installed pack's files and is at the root of the pack.
    public static let fileName = ".receipt.json"
    /// The name in ``store`` of packs that were installed from a file of this machine; no store can have it.
    public static let localFiles = "local"

    /// The version number of the receipt's JSON format; a reader rejects versions that it does not know.
    public var format = 1
    public var operation: OperationID
    public var store: String
    public var productIdentifier: String
    public var kind: ProductKind
    public var name: LocalizedText
    public var version: Version?
    public var price: Price
    public var installedAt: Date
    /// Whether the installed pack is held: excluded from an `update` that does not name it.
    public var held: Bool
    /// Whether the pack was installed only because another product needs it, so that it may be removed with that product.
    ///
    /// `nil` counts as `false`: the user asked for the product by name, or an older version wrote the receipt.
    public var asDependency: Bool?
    /// The operation that installed the version which a rollback to this one replaced; `nil` if it was not rolled back.
    ///
    /// That version is kept where previous versions are, and the next rollback must not bring it back.
    public var rolledBackFrom: OperationID?
    public var dependencies: [String]
    /// The permissions that the user granted to the installed plugin; `nil` if packs of the kind request none.
    public var permissions: [Permission]?
    /// The archive that the pack was unpacked from, by which an update of a product without versions is detected.
    public var archive: Archive
    /// The files of the installed pack with their sizes and hashes, sorted by path.
    public var files: [File]

    /// The archive that an installed pack was unpacked from: URL, size, hash and entity tag.
    public struct Archive: Sendable, Hashable, Codable {
        /// The URL of the archive as text, which takes less memory than a `URL`; `nil` if it is unknown.
        public var address: String? { location?.address(ofFileWith: sha256) }
        public let size: Int
        public let sha256: SHA256Digest
        /// The entity tag of the server's response when it sent the archive; `nil` if it had none.
        public let etag: String?
        private let location: Location?

        private enum CodingKeys: String, CodingKey {
            case address = "url"
            case size, sha256, etag
        }

        /// Creates the description of an archive.
        ///
        /// - Parameter neighbour: another archive, perhaps of the same store: where both addresses begin alike, one copy of
        ///   that text is kept in memory.
        public init(
            address: String?, size: Int, sha256: SHA256Digest, etag: String?, neighbour: Archive? = nil
        ) {
            location = address.map { Location($0, sha256, neighbour: neighbour?.location) }
            self.size = size
            self.sha256 = sha256
            self.etag = etag
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                address: try container.decodeIfPresent(String.self, forKey: .address),
                size: try container.decode(Int.self, forKey: .size),
                sha256: try container.decode(SHA256Digest.self, forKey: .sha256),
                etag: try container.decodeIfPresent(String.self, forKey: .etag))
            if address != nil, url == nil {
                throw DecodingError.dataCorruptedError(forKey: .address, in: container, debugDescription: "not a URL")
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(address, forKey: .address)
            try container.encode(size, forKey: .size)
            try container.encode(sha256, forKey: .sha256)
            try container.encodeIfPresent(etag, forKey: .etag)
        }

        /// The URL from which the archive was fetched, parsed from `address`; `nil` if that is `nil`.
        public var url: URL? { address.flatMap { URL(string: $0) } }

        /// An address without the hash of its file, with which the file's name begins in many stores.
        ///
        /// The daemon has the addresses of thousands of packs in memory.
        private struct Location: Sendable, Hashable {
            let beforeHash: String
            /// `nil` if the file's name does not begin with the hash; ``beforeHash`` is the whole address then.
            let afterHash: String?

            init(_ address: String, _ sha256: SHA256Digest, neighbour: Location?) {
                let slash = address.utf8.lastIndex(of: UInt8(ascii: "/"))
                let name = slash.map { address[address.utf8.index(after: $0)...] } ?? address[...]
                let isNamedByHash = name.utf8.starts(with: sha256.hex.utf8)
                let beforeHash = isNamedByHash ? String(address[..<name.startIndex]) : address
                // The neighbour's text, so that there is one copy in memory. Equal strings may differ in their bytes.
                if let shared = neighbour?.beforeHash, shared.utf8.elementsEqual(beforeHash.utf8) {
                    self.beforeHash = shared
                } else {
                    self.beforeHash = beforeHash
                }
                afterHash = isNamedByHash ? String(name.utf8.dropFirst(sha256.hex.utf8.count)) : nil
            }

            func address(ofFileWith sha256: SHA256Digest) -> String {
                afterHash.map { beforeHash + sha256.hex + $0 } ?? beforeHash
            }
        }
    }

    /// A file of an installed pack, as the pack's receipt lists it: path, size and hash.
    public struct File: Sendable, Hashable, Codable {
        /// The file's path relative to the pack's directory, with `/` between the components.
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
        version: Version?, price: Price, installedAt: Date, held: Bool = false, asDependency: Bool = false,
        dependencies: [String], permissions: [Permission]? = nil, archive: Archive, files: [File]
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
        self.asDependency = asDependency ? true : nil
        self.dependencies = dependencies
        self.permissions = permissions
        self.archive = archive
        self.files = files
    }

    /// The size of the installed pack's files in bytes, without the receipt itself.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}

extension SHA256Digest {
    /// Computes the digest of a list of files: of a line with the hash, two spaces and the path for each file, in the order of
    /// the paths' bytes.
    ///
    /// That is the `h1:` hash of Go's `dirhash` package in another notation, and what this prints in a directory of plain
    /// names: `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum | sha256sum`. Source: function `Hash1` in
    /// <https://pkg.go.dev/golang.org/x/mod/sumdb/dirhash>. No path in a pack has a line break.
    public init(ofFiles files: some Sequence<Receipt.File>) {
        let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var hasher = SHA256Hasher()
        for file in sorted { hasher.update(Array("\(file.sha256.hex)  \(file.path)\n".utf8)) }
        self = hasher.finalize()
    }
}
