import Foundation
import StoreTrust

/// A signed store of several publishers in memory, whose metadata the product's own code makes and signs.
///
/// Tests change the description, and sign and serve it with ``publish()``.
struct PublisherStore {
    /// The metadata of a publisher, as its key's holder signs it.
    struct Role {
        var version = 1
        var files: [String: String]
        var key: PrivateKey
        var delegations: [Delegation] = []
    }

    /// The key of the root and of the top-level targets.
    let owner = PrivateKey()
    /// The key of timestamp and snapshot.
    let online = PrivateKey()
    var delegations: [Delegation] = []
    /// The keys of the publishers that the top-level targets name.
    var keys: [String: PublicKey] = [:]
    /// The metadata of the publishers by name.
    var roles: [String: Role] = [:]
    var files = ["catalogue.json": "own"]
    private var version = 0
    private var snapshot: Snapshot?
    /// What clients see.
    private(set) var repository = TestRepository()

    /// Creates a store of the publishers `cats`, for `org.example.cats.`, and `dogs`, for `com.example.dogs.`.
    init() throws {
        let roles = [TopLevelRole.root: owner, .targets: owner, .snapshot: online, .timestamp: online]
        let content = RootContent(keys: roles.mapValues { [$0.publicKey] })
        repository.server = [
            "1.root.json": try signed(.root(version: 1, expires: TestRepository.expires, content), by: owner)
        ]
        try add("cats", "org.example.cats.")
        try add("dogs", "com.example.dogs.")
        try publish()
    }

    /// Adds a publisher with a new key and an index.
    mutating func add(_ name: String, _ prefix: String) throws {
        let key = PrivateKey()
        let trusted = RoleKeys(keyIDs: [key.publicKey.identifier], threshold: 1)
        delegations.append(try .publisher(name, identifierPrefix: prefix, keys: trusted))
        keys[key.publicKey.identifier] = key.publicKey
        roles[name] = Role(files: ["publishers/\(name)/index.json": name], key: key)
    }

    /// Removes the delegation to a publisher, whose metadata is no longer served.
    mutating func revoke(_ name: String) {
        delegations.removeAll { $0.role == name }
        roles[name] = nil
        repository.server = repository.server.filter { !$0.key.hasSuffix(".\(name).json") }
    }

    /// Signs new metadata and serves it.
    ///
    /// - Parameter keepsListing: whether the snapshot lists what the snapshot before it lists.
    mutating func publish(keepsListing: Bool = true) throws {
        version += 1
        let expires = TestRepository.expires
        let targets: SignedMetadata<Targets> = try serve(
            "targets", version,
            .targets(
                version: version, expires: expires, files: content(files), delegations: delegations, keys: keys),
            by: owner)
        var delegated: [SignedMetadata<Targets>] = []
        for (name, role) in roles {
            let document = MetadataDocument.targets(
                version: role.version, expires: expires, files: content(role.files), delegations: role.delegations,
                keys: keys)
            delegated.append(try serve(name, role.version, document, by: role.key))
        }
        let snapshot: SignedMetadata<Snapshot> = try serve(
            "snapshot", version,
            .snapshot(
                version: version, expires: expires, targets: targets, delegated: delegated,
                after: keepsListing ? self.snapshot : nil), by: online)
        self.snapshot = snapshot.signed
        repository.server["timestamp.json"] = try signed(
            .timestamp(version: version, expires: expires, snapshot: snapshot), by: online)
        for (path, text) in files.merging(roles.values.flatMap(\.files), uniquingKeysWith: { $1 }) {
            repository.server[repository.remotePath(path, Data(text.utf8))] = Data(text.utf8)
        }
    }

    private func content(_ files: [String: String]) -> [String: Data] { files.mapValues { Data($0.utf8) } }

    private func signed(_ document: MetadataDocument, by key: PrivateKey) throws -> Data {
        var document = document
        try document.sign(by: key)
        return document.bytes
    }

    private mutating func serve<Role: MetadataRole>(
        _ name: String, _ version: Int, _ document: MetadataDocument, by key: PrivateKey
    ) throws -> SignedMetadata<Role> {
        let bytes = try signed(document, by: key)
        repository.server["\(version).\(name).json"] = bytes
        return try SignedMetadata(parsing: bytes, file: name + ".json")
    }
}
