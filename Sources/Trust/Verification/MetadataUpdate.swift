public import FoundationEssentials
public import StoreModel

/// One update of a store's metadata, as a state machine without input and output (section 5 of the specification).
///
/// It starts with the metadata that is stored on this computer. ``step`` says which file to fetch; ``receive(_:)`` and
/// ``receiveMissing()`` take the result, verify it, and return the changes of the stored metadata that have to be made
/// before the next step. An error ends the update; what was stored until then stays valid.
public struct MetadataUpdate: Sendable {
    /// The metadata files of a store on this computer, which are verified again when an update uses them.
    public struct Stored: Sendable {
        public var timestamp: Data?
        public var snapshot: Data?
        public var targets: Data?

        /// Creates the description of what is stored beside the root.
        public init(timestamp: Data? = nil, snapshot: Data? = nil, targets: Data? = nil) {
            self.timestamp = timestamp
            self.snapshot = snapshot
            self.targets = targets
        }
    }

    /// What has to be done next in an update of metadata.
    public enum Step: Sendable {
        /// Fetch a metadata file.
        case fetch(MetadataRequest)
        /// Nothing: the metadata is up to date and verified.
        case done(VerifiedMetadata)
    }

    /// A change of the stored metadata, to be made durable before the update's next step.
    public enum Change: Sendable, Hashable {
        /// Store a verified metadata file in place of the previous one.
        case store(TopLevelRole, Data)
        /// Delete a metadata file, because the keys that signed it are not trusted any more.
        case delete(TopLevelRole)
    }

    private enum State {
        /// Newer roots are fetched, until there is none.
        case root(trusted: SignedMetadata<Root>, fetched: Int)
        case timestamp(root: SignedMetadata<Root>, trusted: SignedMetadata<Timestamp>?)
        case snapshot(
            root: SignedMetadata<Root>, timestamp: SignedMetadata<Timestamp>, trusted: SignedMetadata<Snapshot>?)
        case targets(
            root: SignedMetadata<Root>, timestamp: SignedMetadata<Timestamp>, snapshot: SignedMetadata<Snapshot>)
        case done(VerifiedMetadata)
    }

    private var state: State
    private var stored: Stored
    /// The time at which the update began (section 5.1).
    private let start: Date
    private let limits: TrustLimits

    /// Starts an update with the trusted root.
    ///
    /// - Parameters:
    ///   - root: the stored root, or the first one, which the user trusts. It may have expired (section 5.2).
    ///   - stored: the other metadata that is stored.
    ///   - start: the current time.
    /// - Throws: `trust.malformed`, `trust.unsupported` or `trust.signature` for the root.
    public init(
        root: Data, stored: Stored = Stored(), at start: Date, limits: TrustLimits = TrustLimits()
    ) throws(StoreError) {
        let root = try SignedMetadata<Root>(parsing: root, file: TopLevelRole.root.file)
        try root.verifySelfSigned()
        state = .root(trusted: root, fetched: 0)
        self.stored = stored
        self.start = start
        self.limits = limits
    }

    /// What has to be done next.
    public var step: Step {
        switch state {
        case .root(let trusted, _):
            .fetch(request(.root, version: trusted.signed.version + 1, limit: limits.rootLength))
        case .timestamp: .fetch(request(.timestamp, version: nil, limit: limits.timestampLength))
        case .snapshot(let root, let timestamp, _):
            .fetch(request(.snapshot, timestamp.signed.snapshot, root, limit: limits.snapshotLength))
        case .targets(let root, _, let snapshot):
            .fetch(
                request(
                    .targets, snapshot.signed.files[TopLevelRole.targets.file], root, limit: limits.targetsLength))
        case .done(let metadata): .done(metadata)
        }
    }

    private func request(_ role: TopLevelRole, version: Int?, limit: Int) -> MetadataRequest {
        MetadataRequest(file: role.file, version: version, limit: limit)
    }

    private func request(
        _ role: TopLevelRole, _ listed: ListedMetadata?, _ root: SignedMetadata<Root>, limit: Int
    ) -> MetadataRequest {
        request(
            role, version: root.signed.hasConsistentSnapshots ? listed?.version : nil,
            limit: min(listed?.length ?? limit, limit))
    }

    // MARK: Events

    /// Verifies a fetched metadata file and goes on to the next step.
    ///
    /// - Parameter bytes: the content of the file that ``step`` requests.
    /// - Returns: the changes of the stored metadata.
    /// - Throws: an error of ``SignedMetadata``, `trust.expired`, `trust.rollback`, `trust.mix-and-match`,
    ///   `trust.hash-mismatch` or `trust.too-large`.
    public mutating func receive(_ bytes: Data) throws(StoreError) -> [Change] {
        if case .fetch(let request) = step, bytes.count > request.limit { throw request.tooLong }
        switch state {
        case .root(let trusted, let fetched): return try receiveRoot(bytes, after: trusted, fetched: fetched)
        case .timestamp(let root, let trusted): return try receiveTimestamp(bytes, root, trusted)
        case .snapshot(let root, let timestamp, let trusted):
            return try receiveSnapshot(bytes, root, timestamp, trusted)
        case .targets(let root, let timestamp, let snapshot):
            let targets = try verifiedTargets(bytes, root, snapshot)
            finish(root, timestamp, snapshot, targets)
            return [.store(.targets, bytes)]
        case .done: return []
        }
    }

    /// Goes on after the server has said that the requested file does not exist.
    ///
    /// That is how the newest root is recognized; any other file has to exist.
    ///
    /// - Throws: `trust.missing`, or `trust.expired` for a root that has expired.
    public mutating func receiveMissing() throws(StoreError) -> [Change] {
        guard case .root(let trusted, _) = state else {
            if case .fetch(let request) = step { throw request.missing }
            return []
        }
        try trusted.checkExpiry(at: start)
        finishRoot(trusted)
        return []
    }

    // MARK: Root

    private mutating func receiveRoot(
        _ bytes: Data, after trusted: SignedMetadata<Root>, fetched: Int
    ) throws(StoreError) -> [Change] {
        let root = try SignedMetadata<Root>(parsing: bytes, file: TopLevelRole.root.file)
        let keys = trusted.signed.keys(of: .root)
        let found = root.validSignatures(by: keys, of: trusted.signed.keys)
        guard found >= keys.threshold else {
            throw StoreError(
                .trustRootSuccession, ["file": .untrusted(root.file), "found": found, "threshold": keys.threshold])
        }
        try root.verifySelfSigned()
        if root.signed.version == trusted.signed.version {
            // Section 5.3.5: the update goes on with the trusted one.
            try trusted.checkExpiry(at: start)
            finishRoot(trusted)
            return []
        }
        guard root.signed.version == trusted.signed.version + 1 else {
            throw StoreError(
                .trustRootVersion,
                ["file": .untrusted(root.file), "found": root.signed.version, "expected": trusted.signed.version + 1])
        }
        var changes: [Change] = []
        // Section 5.3.11: attackers who had the keys may have chosen version numbers that no new version reaches.
        let isRevoked = [TopLevelRole.timestamp, .snapshot].contains {
            trusted.signed.hasKey(of: $0, revokedBy: root.signed)
        }
        if isRevoked {
            stored.timestamp = nil
            stored.snapshot = nil
            changes += [.delete(.timestamp), .delete(.snapshot)]
        }
        // Last: after a crash in between, the next update begins with the old root, and deletes again what is revoked.
        changes.append(.store(.root, bytes))
        state = .root(trusted: root, fetched: fetched + 1)
        // The root is stored, whether it has expired or not, so that the next update can go on from it.
        if fetched + 1 == limits.roots { finishRoot(root) }
        return changes
    }

    private mutating func finishRoot(_ root: SignedMetadata<Root>) {
        state = .timestamp(root: root, trusted: storedMetadata(stored.timestamp, .timestamp, root))
    }

    /// Parses stored metadata that the root's current keys have signed; `nil` if there is none.
    ///
    /// It may have expired: it only prevents a rollback.
    private func storedMetadata<Role: MetadataRole>(
        _ bytes: Data?, _ role: TopLevelRole, _ root: SignedMetadata<Root>
    ) -> SignedMetadata<Role>? {
        guard let bytes, let metadata = try? SignedMetadata<Role>(parsing: bytes, file: role.file),
            (try? metadata.verify(by: root.signed.keys(of: role), of: root.signed.keys)) != nil
        else { return nil }
        return metadata
    }

    // MARK: Timestamp

    private mutating func receiveTimestamp(
        _ bytes: Data, _ root: SignedMetadata<Root>, _ trusted: SignedMetadata<Timestamp>?
    ) throws(StoreError) -> [Change] {
        // Not checked yet where the limit on new roots was reached (section 5.3.10).
        try root.checkExpiry(at: start)
        let timestamp = try SignedMetadata<Timestamp>(parsing: bytes, file: TopLevelRole.timestamp.file)
        try timestamp.verify(by: root.signed.keys(of: .timestamp), of: root.signed.keys)
        guard let trusted else { return try accept(timestamp, root) }
        try timestamp.checkRollback(from: trusted)
        if timestamp.signed.version == trusted.signed.version {
            // Section 5.4.3.1: the trusted one stays. An update that was interrupted after it goes on from here.
            return try accept(trusted, root, isStored: true)
        }
        let (found, seen) = (timestamp.signed.snapshot.version, trusted.signed.snapshot.version)
        guard found >= seen else {
            throw Self.listsOlder(TopLevelRole.snapshot.file, found, seen, lister: timestamp.file)
        }
        return try accept(timestamp, root)
    }

    private static func listsOlder(_ file: String, _ found: Int, _ trusted: Int, lister: String) -> StoreError {
        StoreError(
            .trustListsOlder,
            ["file": .untrusted(file), "found": found, "trusted": trusted, "lister": .untrusted(lister)])
    }

    private mutating func accept(
        _ timestamp: SignedMetadata<Timestamp>, _ root: SignedMetadata<Root>, isStored: Bool = false
    ) throws(StoreError) -> [Change] {
        try timestamp.checkExpiry(at: start)
        let trusted: SignedMetadata<Snapshot>? = storedMetadata(stored.snapshot, .snapshot, root)
        if let trusted, (try? checkCurrent(trusted, timestamp)) != nil {
            try accept(trusted, timestamp, root)
        } else {
            state = .snapshot(root: root, timestamp: timestamp, trusted: trusted)
        }
        return isStored ? [] : [.store(.timestamp, timestamp.bytes)]
    }

    // MARK: Snapshot

    private func checkCurrent(
        _ snapshot: SignedMetadata<Snapshot>, _ timestamp: SignedMetadata<Timestamp>
    ) throws(StoreError) {
        try timestamp.signed.snapshot.check(snapshot.bytes, file: snapshot.file)
        try snapshot.checkVersion(timestamp.signed.snapshot.version, lister: timestamp.file)
        try snapshot.checkExpiry(at: start)
    }

    private mutating func receiveSnapshot(
        _ bytes: Data, _ root: SignedMetadata<Root>, _ timestamp: SignedMetadata<Timestamp>,
        _ trusted: SignedMetadata<Snapshot>?
    ) throws(StoreError) -> [Change] {
        let listed = timestamp.signed.snapshot
        try listed.check(bytes, file: TopLevelRole.snapshot.file)
        let snapshot = try SignedMetadata<Snapshot>(parsing: bytes, file: TopLevelRole.snapshot.file)
        try snapshot.verify(by: root.signed.keys(of: .snapshot), of: root.signed.keys)
        try snapshot.checkVersion(listed.version, lister: timestamp.file)
        for (file, old) in trusted?.signed.files ?? [:] {
            guard let new = snapshot.signed.files[file] else {
                throw StoreError(.trustListsNoMore, ["file": .untrusted(file), "lister": .untrusted(snapshot.file)])
            }
            guard new.version >= old.version else {
                throw Self.listsOlder(file, new.version, old.version, lister: snapshot.file)
            }
        }
        try snapshot.checkExpiry(at: start)
        try accept(snapshot, timestamp, root)
        return [.store(.snapshot, bytes)]
    }

    private mutating func accept(
        _ snapshot: SignedMetadata<Snapshot>, _ timestamp: SignedMetadata<Timestamp>, _ root: SignedMetadata<Root>
    ) throws(StoreError) {
        _ = try VerifiedMetadata.listed(TopLevelRole.targets.file, in: snapshot)
        if let bytes = stored.targets, let targets = try? verifiedTargets(bytes, root, snapshot) {
            finish(root, timestamp, snapshot, targets)
        } else {
            state = .targets(root: root, timestamp: timestamp, snapshot: snapshot)
        }
    }

    // MARK: Targets

    private func verifiedTargets(
        _ bytes: Data, _ root: SignedMetadata<Root>, _ snapshot: SignedMetadata<Snapshot>
    ) throws(StoreError) -> SignedMetadata<Targets> {
        try VerifiedMetadata.verified(
            bytes, file: TopLevelRole.targets.file, by: root.signed.keys(of: .targets), of: root.signed.keys,
            in: snapshot, at: start)
    }

    private mutating func finish(
        _ root: SignedMetadata<Root>, _ timestamp: SignedMetadata<Timestamp>, _ snapshot: SignedMetadata<Snapshot>,
        _ targets: SignedMetadata<Targets>
    ) {
        state = .done(
            VerifiedMetadata(root: root, timestamp: timestamp, snapshot: snapshot, targets: targets, start: start))
    }
}
