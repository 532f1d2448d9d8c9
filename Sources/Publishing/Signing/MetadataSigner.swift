import FoundationEssentials
import StoreModel
public import StoreTrust

/// Makes and signs new versions of a store's metadata where they are needed.
struct MetadataSigner {
    /// The metadata of one state of the store, with enough signatures.
    struct Signed {
        /// The roots up to the one with which the other files are verified.
        var roots: [SignedMetadata<Root>]
        var targets: SignedMetadata<Targets>
        var snapshot: SignedMetadata<Snapshot>
        var timestamp: SignedMetadata<Timestamp>
        /// The metadata files that were signed anew.
        var renewed: [Storehouse.SignedFile]
        /// The metadata files that would have been renewed, for which signatures are missing.
        var waiting: [Waiting]

        var root: SignedMetadata<Root> { roots[roots.count - 1] }
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
    /// - Throws: `key.missing-signatures` if clients can't see the index before further keys have signed; the targets
    ///   metadata is then kept as a draft.
    mutating func sign(index: Data) throws -> Signed {
        let roots = try roots(to: try archive.rootVersions().last ?? 1)
        let digest = SHA256Digest(of: index)
        let targets: SignedMetadata<Targets> = try next(
            .targets, roots.last,
            isCurrent: {
                $0.allFiles.map(\.path) == [StoreLayout.index]
                    && $0.file(StoreLayout.index)?.hashes.sha256 == digest
            },
            make: { .targets(version: $0, expires: $1, files: [StoreLayout.index: index]) })
        return try sign(roots, targets)
    }

    /// Signs a new timestamp, and a new snapshot where the current one expires soon, for the targets as they are.
    ///
    /// A new root under which the targets have not been signed yet is left for the next publication.
    ///
    /// - Throws: `key.missing-signatures`.
    mutating func renew() throws -> Signed {
        guard let targets: SignedMetadata<Targets> = try archive.metadata(.targets) else {
            throw StoreError(.keyNothingPublished, ["path": .path(storePath)])
        }
        for version in try archive.rootVersions().reversed() {
            let root = try archive.root(version: version)
            if Self.isSigned(targets, .targets, root) { return try sign(try roots(to: version), targets) }
        }
        throw StoreError(.keyNothingPublished, ["path": .path(storePath)])
    }

    private func roots(to version: Int) throws -> [SignedMetadata<Root>] {
        try archive.rootVersions().filter { $0 <= version }.map { try archive.root(version: $0) }
    }

    private mutating func sign(
        _ roots: [SignedMetadata<Root>], _ targets: SignedMetadata<Targets>
    ) throws -> Signed {
        let root = roots.last
        let targetsDigest = SHA256Digest(of: targets.bytes)
        let snapshot: SignedMetadata<Snapshot> = try next(
            .snapshot, root,
            isCurrent: { snapshot in
                let listed = snapshot.files[TopLevelRole.targets.file]
                return listed?.version == targets.signed.version && listed?.hashes?.sha256 == targetsDigest
            }, make: { .snapshot(version: $0, expires: $1, targets: targets) })
        let snapshotDigest = SHA256Digest(of: snapshot.bytes)
        let timestamp: SignedMetadata<Timestamp> = try next(
            .timestamp, root,
            isCurrent: { timestamp in
                timestamp.snapshot.version == snapshot.signed.version
                    && timestamp.snapshot.hashes?.sha256 == snapshotDigest
            }, make: { .timestamp(version: $0, expires: $1, snapshot: snapshot) })
        return Signed(
            roots: roots, targets: targets, snapshot: snapshot, timestamp: timestamp, renewed: renewed,
            waiting: waiting)
    }

    private static func isSigned<Role>(
        _ metadata: SignedMetadata<Role>, _ role: TopLevelRole, _ root: SignedMetadata<Root>
    ) -> Bool {
        (try? metadata.verify(by: root.signed.keys(of: role), of: root.signed.keys)) != nil
    }

    /// Returns metadata of a role that is current for at least half of its lifetime, and signs it if there is none.
    ///
    /// Metadata that is current, but expires soon, is kept if signatures for its successor are missing.
    ///
    /// - Parameters:
    ///   - isCurrent: whether metadata has the content that clients need.
    ///   - make: makes the metadata with a version and an expiry.
    private mutating func next<Role: MetadataRole>(
        _ role: TopLevelRole, _ root: SignedMetadata<Root>?, isCurrent: (Role) -> Bool,
        make: (_ version: Int, _ expires: Date) -> MetadataDocument
    ) throws -> SignedMetadata<Role> {
        guard let root else { throw StoreError(.keyStoreUnsigned, ["path": .path(storePath)]) }
        let newest: SignedMetadata<Role>? = try archive.metadata(role)
        let current = newest.flatMap { Self.isSigned($0, role, root) && isCurrent($0.signed) ? $0 : nil }
        let lifetime = archive.lifetime(of: role)
        if let current, current.signed.expires > time + lifetime / 2 { return current }

        let version = (newest?.signed.version ?? 0) + 1
        var document = make(version, time + lifetime)
        if let draft = try archive.draft(of: role) {
            // A draft that others are signing stays the same as long as its content does.
            let parsed = try SignedMetadata<Role>(parsing: draft.bytes, file: role.file)
            let same = make(version, parsed.signed.expires)
            if same.signed == draft.signed, parsed.signed.expires > time + lifetime / 2 { document = draft }
        }
        let trusted = root.signed.keys(of: role)
        let signed = Storehouse.SignedFile(role: role, version: version)
        let found: Int
        do {
            found = try keys.sign(&document, by: trusted, of: root.signed.keys)
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
        public var role: TopLevelRole
        /// The version of the metadata file.
        public var version: Int

        public var description: String { "\(role.file) version \(version)" }
    }
}
