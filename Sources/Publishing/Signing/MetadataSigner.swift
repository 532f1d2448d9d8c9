import FoundationEssentials
import StoreModel
import StoreTrust

/// Makes and signs new versions of a store's metadata where they are needed.
struct MetadataSigner {
    /// The metadata of one state of the store, with enough signatures.
    struct Signed {
        /// The roots up to the one with which the other files are verified.
        var roots: [SignedMetadata<Root>]
        var targets: SignedMetadata<Targets>
        /// The metadata of publishers that the snapshot lists, as far as their present keys have signed it.
        var publishers: [SignedMetadata<Targets>]
        var snapshot: SignedMetadata<Snapshot>
        var timestamp: SignedMetadata<Timestamp>
        /// The metadata files that were signed anew.
        var renewed: [Storehouse.SignedFile]
        /// The metadata files that would have been renewed, for which signatures are missing.
        var waiting: [Waiting]

        var root: SignedMetadata<Root> { roots[roots.count - 1] }

        /// The dates on which the files expire that clients read.
        var expiries: [Storehouse.Expiry] {
            [
                Storehouse.Expiry(role: .root, date: root.signed.expires),
                Storehouse.Expiry(role: .targets, date: targets.signed.expires),
            ] + publishers.map(Storehouse.Expiry.init(publisher:)) + [
                Storehouse.Expiry(role: .snapshot, date: snapshot.signed.expires),
                Storehouse.Expiry(role: .timestamp, date: timestamp.signed.expires),
            ]
        }
    }

    /// The metadata of a publisher's publication, with enough signatures.
    struct SignedTargets {
        var targets: SignedMetadata<Targets>
        /// The metadata files that were signed anew.
        var renewed: [Storehouse.SignedFile]
        /// The metadata files that would have been renewed, for which signatures are missing.
        var waiting: [Waiting]
    }

    /// A metadata file for which signatures are missing.
    struct Waiting {
        var file: Storehouse.SignedFile
        /// The number of signatures so far.
        var found: Int
        /// The number of signatures that are needed.
        var threshold: Int

        /// The error for a call that needs the metadata file.
        func error(storePath: String) -> StoreError {
            StoreError(
                .keySignaturesMissing,
                ["file": file.role.file, "found": found, "threshold": threshold, "path": .path(storePath)])
        }
    }

    private let archive: MetadataArchive
    private let keys: KeyRing
    private let time: Date
    private let storePath: String
    private var renewed: [Storehouse.SignedFile] = []
    private var waiting: [Waiting] = []

    init(_ archive: MetadataArchive, keys: KeyRing, at time: Date, storePath: String) {
        self.archive = archive
        self.keys = keys
        self.time = time
        self.storePath = storePath
    }

    /// Signs what clients need to verify an index.
    ///
    /// - Parameter publishers: the publishers that the targets metadata names.
    /// - Throws: `key.missing-signatures` if clients can't see the index before further keys have signed; the targets
    ///   metadata is then kept as a draft.
    mutating func sign(index: Data, publishers: [StorePublisher]) throws -> Signed {
        let roots = try roots(to: try archive.rootVersions().last ?? 1)
        let delegations = try publishers.map { try $0.delegation }
        let publicKeys = publishers.flatMap(\.publicKeys)
        let keys = Dictionary(publicKeys.map { ($0.identifier, $0) }) { first, _ in first }
        let targets: SignedMetadata<Targets> = try next(.targets, roots.last) { _, version, expires in
            .targets(
                version: version, expires: expires, files: [StoreLayout.index: index], delegations: delegations,
                keys: keys)
        }
        try removeUnneededDraft(of: SignedRole(.targets))
        return try sign(roots, targets)
    }

    /// Signs the metadata with which a publisher's index is verified, in the publisher's own directory.
    ///
    /// - Throws: `key.missing-signatures`.
    mutating func sign(index: Data, by publisher: StorePublisher) throws -> SignedTargets {
        let keys = Dictionary(publisher.publicKeys.map { ($0.identifier, $0) }) { first, _ in first }
        let targets: SignedMetadata<Targets> = try next(
            SignedRole(publisher: publisher.name), publisher.roleKeys, of: keys
        ) { _, version, expires in
            .targets(version: version, expires: expires, files: [publisher.indexPath: index])
        }
        try removeUnneededDraft(of: SignedRole(publisher: publisher.name))
        return SignedTargets(targets: targets, renewed: renewed, waiting: waiting)
    }

    /// Removes a draft that no publication needs, because what it contains was changed back before it was signed.
    ///
    /// It would be asked for in requests for signatures, and signed in vain.
    private func removeUnneededDraft(of role: SignedRole) throws {
        if !waiting.contains(where: { $0.file.role == role }) { try archive.removeDraft(of: role) }
    }

    /// Signs a new timestamp, and a new snapshot where the current one expires soon, for targets that are published.
    ///
    /// A new root under which the targets have not been signed yet is left for the next publication.
    ///
    /// - Throws: `key.missing-signatures`.
    mutating func renew(_ targets: SignedMetadata<Targets>) throws -> Signed {
        for version in try archive.rootVersions().reversed() {
            let root = try archive.root(version: version)
            if Self.isSigned(targets, root.signed.keys(of: .targets), root.signed.keys) {
                return try sign(try roots(to: version), targets)
            }
        }
        throw StoreError(.keyNothingPublished, ["path": .path(storePath)])
    }

    private func roots(to version: Int) throws -> [SignedMetadata<Root>] {
        try archive.rootVersions().filter { $0 <= version }.map { try archive.root(version: $0) }
    }

    private mutating func sign(
        _ roots: [SignedMetadata<Root>], _ targets: SignedMetadata<Targets>
    ) throws -> Signed {
        let publishers = try accepted(by: targets.signed)
        let root = roots.last
        let snapshot: SignedMetadata<Snapshot> = try next(.snapshot, root) { previous, version, expires in
            .snapshot(
                version: version, expires: expires, targets: targets, delegated: publishers, after: previous?.signed)
        }
        let timestamp: SignedMetadata<Timestamp> = try next(.timestamp, root) { _, version, expires in
            .timestamp(version: version, expires: expires, snapshot: snapshot)
        }
        return Signed(
            roots: roots, targets: targets, publishers: publishers, snapshot: snapshot, timestamp: timestamp,
            renewed: renewed, waiting: waiting)
    }

    /// Returns the metadata that was accepted from publishers, as far as their present keys have signed it.
    private func accepted(by targets: Targets) throws -> [SignedMetadata<Targets>] {
        try PublisherTable(targets).publishers.compactMap { publisher in
            let metadata: SignedMetadata<Targets>? = try archive.metadata(SignedRole(publisher: publisher.name))
            return metadata.flatMap { Self.isSigned($0, publisher.keys, targets.keys) ? $0 : nil }
        }
    }

    private static func isSigned<Role>(
        _ metadata: SignedMetadata<Role>, _ trusted: RoleKeys, _ keys: [String: PublicKey]
    ) -> Bool {
        (try? metadata.verify(by: trusted, of: keys)) != nil
    }

    private mutating func next<Role: MetadataRole>(
        _ role: TopLevelRole, _ root: SignedMetadata<Root>?, make: Maker<Role>
    ) throws -> SignedMetadata<Role> {
        guard let root else { throw StoreError(.keyStoreUnsigned, ["path": .path(storePath)]) }
        return try next(SignedRole(role), root.signed.keys(of: role), of: root.signed.keys, make: make)
    }

    /// The type of a function that makes metadata with a version and an expiry, after the newest that there is.
    private typealias Maker<Role: MetadataRole> = (
        _ previous: SignedMetadata<Role>?, _ version: Int, _ expires: Date
    ) -> MetadataDocument

    /// Returns metadata of a role that is current for at least half of its lifetime, and signs it if there is none.
    ///
    /// Metadata that is current, but expires soon, is kept if signatures for its successor are missing.
    ///
    /// - Parameters:
    ///   - trusted: the role's keys, as who delegates to it states them.
    ///   - make: makes the metadata that clients need.
    private mutating func next<Role: MetadataRole>(
        _ role: SignedRole, _ trusted: RoleKeys, of publicKeys: [String: PublicKey], make: Maker<Role>
    ) throws -> SignedMetadata<Role> {
        let newest: SignedMetadata<Role>? = try archive.metadata(role)
        func isCurrent(_ metadata: SignedMetadata<Role>) throws -> Bool {
            let same = make(metadata, metadata.signed.version, metadata.signed.expires)
            return try Self.isSigned(metadata, trusted, publicKeys)
                && same.signed == MetadataDocument(parsing: metadata.bytes, file: role.file).signed
        }
        let current = try newest.flatMap { try isCurrent($0) ? $0 : nil }
        let lifetime = archive.lifetime(of: role)
        if let current, current.signed.expires > time + lifetime / 2 { return current }

        let version = (newest?.signed.version ?? 0) + 1
        var document = make(newest, version, time + lifetime)
        if let draft = try archive.draft(of: role) {
            // A draft that others are signing stays the same as long as its content does.
            let parsed = try SignedMetadata<Role>(parsing: draft.bytes, file: role.file)
            let same = make(newest, version, parsed.signed.expires)
            if same.signed == draft.signed, parsed.signed.expires > time + lifetime / 2 { document = draft }
        }
        let signed = Storehouse.SignedFile(role: role, version: version)
        let found: Int
        do {
            found = try keys.sign(&document, by: trusted, of: publicKeys)
        } catch {
            try archive.store(draft: document, of: role)
            throw error
        }
        guard found >= trusted.threshold else {
            try archive.store(draft: document, of: role)
            let missing = Waiting(file: signed, found: found, threshold: trusted.threshold)
            guard let current, current.signed.expires > time else { throw missing.error(storePath: storePath) }
            waiting.append(missing)
            return current
        }
        try archive.store(document.bytes, of: role, version: version)
        renewed.append(signed)
        return try SignedMetadata(parsing: document.bytes, file: role.file)
    }
}

extension Storehouse {
    /// A version of a metadata file of a signed store.
    public struct SignedFile: Sendable, Hashable, CustomStringConvertible {
        /// The role that the metadata file belongs to.
        public var role: SignedRole
        /// The version of the metadata file.
        public var version: Int

        public var description: String { "\(role.file) version \(version)" }
    }
}
