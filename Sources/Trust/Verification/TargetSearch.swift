public import FoundationEssentials
public import StoreModel

/// The search for a file in the targets metadata of a store and of the roles it delegates to, without input and output.
///
/// It is the pre-order depth-first search of section 5.6.7. Each delegated role is verified against the role that
/// delegates to it in this search, also if it was verified against another one before.
public struct TargetSearch: Sendable {
    /// What has to be done next in a search.
    public enum Step: Sendable {
        /// Load the metadata of a delegated role, from this computer or from the store.
        case load(MetadataRequest)
        /// Nothing: signed metadata lists the file.
        case found(TargetFile)
    }

    /// A delegation that has to be followed.
    fileprivate struct Visit {
        let delegation: Delegation
        /// The keys of the delegating role, by identifier.
        let keys: [String: PublicKey]
        /// The names of the roles on the way to this delegation.
        let way: [String]
    }

    private enum State {
        case searching(Visit, MetadataRequest)
        case found(TargetFile)
    }

    private let path: String
    private let metadata: VerifiedMetadata
    private let limits: TrustLimits
    private let publishers: PublisherTable?
    private var state: State
    /// The delegations to follow if the current one leads nowhere, the next one last.
    private var waiting: [Visit] = []
    private var visited = 0

    /// Starts the search for the file with a path.
    ///
    /// - Parameter publishers: the publishers of the store (``VerifiedMetadata/publishers()``), to refuse metadata of a
    ///   publisher who signed more than their own files; `nil` for the rules of The Update Framework only.
    /// - Throws: `trust.unknown-target` if no role lists the file, or `trust.mix-and-match` if the snapshot does not list
    ///   a role.
    public init(
        for path: String, in metadata: VerifiedMetadata, publishers: PublisherTable? = nil,
        limits: TrustLimits = TrustLimits()
    ) throws(StoreError) {
        self.path = path
        self.metadata = metadata
        self.limits = limits
        // In a store without publishers, delegations are the owner's.
        self.publishers = publishers.flatMap { $0.isEmpty ? nil : $0 }
        let targets = metadata.targets.signed
        if let file = targets.file(path) {
            state = .found(file)
            return
        }
        // Of a store with publishers, all delegations are to them, and a path is in the directory of one at most.
        let delegations = self.publishers?.delegations(of: path) ?? targets.delegations(of: path)
        waiting = Self.visits(from: targets, to: delegations, way: []).delegations
        state = try Self.next(path, metadata, limits, &waiting, &visited)
    }

    /// What has to be done next.
    public var step: Step {
        switch state {
        case .searching(_, let request): .load(request)
        case .found(let file): .found(file)
        }
    }

    /// The verified metadata of the delegated role that a search requested.
    public struct VerifiedRole: Sendable {
        fileprivate let targets: Targets
        fileprivate let visit: Visit
    }

    /// Verifies the metadata of the requested role against the snapshot and the role that delegates to it.
    ///
    /// - Throws: why the metadata is not valid, or `trust.publisher-scope`. If it came from the store, that ends the search (section 5.6.7).
    public func verify(_ bytes: Data) throws(StoreError) -> VerifiedRole {
        guard case .searching(let visit, let request) = state else {
            preconditionFailure("a search that has found the file requests no role")
        }
        guard bytes.count <= request.limit else { throw request.tooLong }
        let targets = try VerifiedMetadata.verified(
            bytes, file: request.file, by: visit.delegation.keys, of: visit.keys, in: metadata.snapshot,
            at: metadata.start)
        try publishers?.check(targets.signed, of: visit.delegation.role)
        return VerifiedRole(targets: targets.signed, visit: visit)
    }

    /// Goes on with the search in the requested role.
    ///
    /// - Throws: `trust.unknown-target` if neither this nor any other role lists the file; `trust.mix-and-match` if the
    ///   snapshot does not list the next role.
    public mutating func receive(_ role: VerifiedRole) throws(StoreError) {
        if let file = role.targets.file(path) {
            state = .found(file)
            return
        }
        let (delegations, isTerminating) = Self.visits(
            from: role.targets, to: role.targets.delegations(of: path),
            way: role.visit.way + [role.visit.delegation.role])
        if isTerminating { waiting = [] }
        waiting += delegations
        state = try Self.next(path, metadata, limits, &waiting, &visited)
    }

    /// Returns visits for a role's delegations, the first one last, and whether no others may be followed after them.
    private static func visits(
        from targets: Targets, to delegations: [Delegation], way: [String]
    ) -> (delegations: [Visit], isTerminating: Bool) {
        var visits: [Visit] = []
        for delegation in delegations {
            visits.append(Visit(delegation: delegation, keys: targets.keys, way: way))
            if delegation.isTerminating { return (visits.reversed(), true) }
        }
        return (visits.reversed(), false)
    }

    private static func next(
        _ path: String, _ metadata: VerifiedMetadata, _ limits: TrustLimits, _ waiting: inout [Visit],
        _ visited: inout Int
    ) throws(StoreError) -> State {
        while let visit = waiting.popLast() {
            // A cycle of delegations.
            if visit.way.contains(visit.delegation.role) { continue }
            visited += 1
            guard visited <= limits.delegations else {
                throw StoreError(.trustTooManyDelegations, ["file": .untrusted(path), "limit": limits.delegations])
            }
            return .searching(visit, try metadata.request(for: visit.delegation, limits: limits))
        }
        throw StoreError(.trustTargetUnknown, ["file": .untrusted(path)])
    }
}
