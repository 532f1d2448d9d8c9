public import FoundationEssentials
import StoreModel
public import StoreTrust

/// A file with metadata that waits for signatures, which is carried to another machine with the keys and back.
public struct SigningRequest: Sendable {
    /// A metadata file of a request.
    public struct Item: Sendable, Hashable {
        /// The role that the metadata file belongs to.
        public var role: SignedRole
        /// The metadata file with the signatures so far.
        public var document: MetadataDocument
        /// The public keys that may sign it.
        public var keys: [PublicKey]
    }

    /// The metadata files of the request.
    public internal(set) var items: [Item]

    private struct File: Codable {
        var format: String
        var documents: [Document]
    }
    private struct Document: Codable {
        var role: String
        /// The metadata file itself as text, so that its bytes stay the same.
        var metadata: String
        /// The values of the Ed25519 keys that may sign.
        var keys: [String]
    }
    private static let format = "storehouse-signing-request-1"

    init(items: [Item]) { self.items = items }

    /// Parses a request.
    ///
    /// - Parameter path: the path of its file, for messages.
    /// - Throws: `key.damaged`, also if a file in it can't be read as metadata of its role.
    public init(parsing data: Data, path: String) throws(StoreError) {
        let invalid = StoreError(.keyRequestInvalid, ["path": .path(path)])
        guard let file: File = try? JSON.decode(from: data), file.format == Self.format else { throw invalid }
        items = []
        for document in file.documents {
            let role =
                TopLevelRole(rawValue: document.role).map(SignedRole.init) ?? SignedRole(publisher: document.role)
            guard role.topLevel != nil || StorePublisher.isName(document.role),
                let metadata = try? MetadataDocument(parsing: Data(document.metadata.utf8), file: role.file),
                Self.isReadable(metadata, of: role)
            else { throw invalid }
            items.append(Item(role: role, document: metadata, keys: document.keys.map { PublicKey(ed25519: $0) }))
        }
    }

    /// Returns whether the bytes that would be signed can be read as metadata of a role.
    ///
    /// Metadata that can't be parsed can't be shown to the person who signs it. The signature covers canonical JSON, which does not
    /// escape control characters: a document that contains one can't be parsed as JSON, although its signature would be valid.
    private static func isReadable(_ document: MetadataDocument, of role: SignedRole) -> Bool {
        func parses<Role: MetadataRole>(_: Role.Type) -> Bool {
            (try? SignedMetadata<Role>(parsing: document.bytes, file: role.file)) != nil
        }
        return switch role.topLevel {
        case .root: parses(Root.self)
        case .targets, nil: parses(Targets.self)
        case .snapshot: parses(Snapshot.self)
        case .timestamp: parses(Timestamp.self)
        }
    }

    /// The content of the request's file.
    public var fileContent: Data {
        get throws {
            let documents = items.map { item in
                Document(
                    role: item.role.rawValue, metadata: String(decoding: item.document.bytes, as: UTF8.self),
                    keys: item.keys.map(\.value))
            }
            return try JSON.encode(File(format: Self.format, documents: documents), pretty: true)
        }
    }

    /// Signs everything in the request that the keys may sign.
    ///
    /// - Parameter path: the path of the request's file, for messages.
    /// - Returns: what was signed, by which key.
    /// - Throws: `key.not-allowed` if a key may sign nothing; `key.agent` if the agent lacks it; an error of a key.
    public mutating func sign(
        with keys: KeyRing, publicKeys: [PublicKey], path: String
    ) throws -> [(role: SignedRole, key: PublicKey)] {
        var signed: [(role: SignedRole, key: PublicKey)] = []
        for key in publicKeys {
            guard items.contains(where: { $0.keys.contains(key) }) else {
                throw StoreError(.keySignsNothing, ["key": key.identifier, "path": .path(path)])
            }
            for index in items.indices where items[index].keys.contains(key) {
                try keys.sign(&items[index].document, by: key)
                guard items[index].document.isSigned(by: key) else {
                    throw StoreError(.keyAgentFailed, ["key": key.identifier, "reason": "it printed no signature"])
                }
                signed.append((items[index].role, key))
            }
        }
        return signed
    }
}

extension Storehouse {
    /// Returns everything that waits for signatures.
    ///
    /// - Throws: `key.stale-request` if nothing does; `key.not-signed`.
    public func signingRequest() throws -> SigningRequest {
        try locked {
            let items = try waitingItems()
            guard !items.isEmpty else { throw StoreError(.keyNothingToSign, ["path": .path(path)]) }
            return SigningRequest(items: items)
        }
    }

    private func waitingItems() throws -> [SigningRequest.Item] {
        if let publisher = try state().publisher {
            let role = SignedRole(publisher: publisher.name)
            let draft = try MetadataArchive.create(in: root).draft(of: role)
            return draft.map { [SigningRequest.Item(role: role, document: $0, keys: publisher.publicKeys)] } ?? []
        }
        let archive = try archive()
        let current = try archive.newestRoot().signed
        var items: [SigningRequest.Item] = []
        for role in TopLevelRole.allCases {
            guard let draft = try archive.draft(of: SignedRole(role)) else { continue }
            var roots = [current]
            if role == .root {
                roots.append(try SignedMetadata<Root>(parsing: draft.bytes, file: role.file).signed)
            }
            var keys: [PublicKey] = []
            for root in roots {
                for key in root.keys(of: role).keyIDs.compactMap({ root.keys[$0] }) where !keys.contains(key) {
                    keys.append(key)
                }
            }
            items.append(SigningRequest.Item(role: SignedRole(role), document: draft, keys: keys))
        }
        return items
    }

    /// Takes the signatures of a request over into the store; clients see the result after the next publication.
    ///
    /// - Parameter path: the path of the request's file, for messages.
    /// - Returns: the metadata files to which signatures were added, each with the number that it has now.
    /// - Throws: `key.stale-request` if the store waits for other signatures.
    public func importSignatures(
        of request: SigningRequest, path requestPath: String
    ) throws -> [(role: SignedRole, signatures: Int)] {
        try locked {
            let items = try waitingItems()
            let archive = try MetadataArchive.create(in: root)
            var added: [(role: SignedRole, signatures: Int)] = []
            for item in items {
                guard let other = request.items.first(where: { $0.role == item.role })?.document,
                    other.signed == item.document.signed
                else { continue }
                var document = item.document
                document.addSignatures(of: item.keys, from: other)
                added.append((item.role, item.keys.count(where: document.isSigned)))
                if item.role == .root {
                    _ = try signRoot(document, archive, KeyRing())
                } else {
                    try archive.store(draft: document, of: item.role)
                }
            }
            guard !added.isEmpty else { throw StoreError(.keyRequestStale, ["path": .path(requestPath)]) }
            return added
        }
    }
}
