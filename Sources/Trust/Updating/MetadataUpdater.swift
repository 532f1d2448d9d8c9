public import FoundationEssentials
import StoreModel

/// Updates the signed metadata of a store, and finds files in it.
///
/// Only one update of a directory may run at a time.
///
/// ```swift
/// let updater = MetadataUpdater(in: MetadataDirectory(directory)) { request in
///     try await fetch("https://store.example/metadata/" + request.remoteName, request.limit)
/// }
/// let metadata = try await updater.update(at: Date())
/// let file = try await updater.file("catalogue.json", in: metadata)
/// ```
public struct MetadataUpdater: Sendable {
    /// The type of a function that fetches a metadata file of the store.
    ///
    /// It returns `nil` if the file does not exist, and fetches no more than the request's limit: it throws
    /// ``MetadataRequest/tooLong`` where there is more.
    public typealias Fetch = @Sendable (MetadataRequest) async throws -> Data?

    private let directory: MetadataDirectory
    private let limits: TrustLimits
    private let fetch: Fetch

    /// Creates an updater of the metadata in a directory, which contains a trusted root.
    public init(
        in directory: MetadataDirectory, limits: TrustLimits = TrustLimits(), fetch: @escaping Fetch
    ) {
        self.directory = directory
        self.limits = limits
        self.fetch = fetch
    }

    /// Updates the top-level metadata and returns it.
    ///
    /// Each file is stored as soon as it is verified, so that an update that fails does not have to begin anew.
    ///
    /// - Parameter start: the current time.
    /// - Throws: an error of ``MetadataUpdate``, of the network or of the disk, or `trust.no-root`.
    public func update(at start: Date) async throws -> VerifiedMetadata {
        var update = try update(storedAt: start)
        while case .fetch(let request) = update.step {
            let changes =
                if let bytes = try await fetch(request) { try update.receive(bytes) } else {
                    try update.receiveMissing()
                }
            try directory.apply(changes)
        }
        guard case .done(let metadata) = update.step else { preconditionFailure("an update ends when it is done") }
        return metadata
    }

    /// Verifies the stored top-level metadata and returns it, without fetching anything.
    ///
    /// It is as old as the last update: newer metadata may exist.
    ///
    /// - Parameter start: the current time.
    /// - Throws: `trust.expired`; `trust.missing` if no update has been completed; `trust.no-root`.
    public func stored(at start: Date) throws -> VerifiedMetadata {
        var update = try update(storedAt: start)
        _ = try update.receiveMissing()
        if let timestamp = try directory.content(of: TopLevelRole.timestamp.file, limit: limits.timestampLength) {
            _ = try update.receive(timestamp)
        }
        switch update.step {
        case .done(let metadata): return metadata
        case .fetch(let request): throw request.missing
        }
    }

    private func update(storedAt start: Date) throws -> MetadataUpdate {
        let root = try directory.root(limits: limits)
        let stored = MetadataUpdate.Stored(
            timestamp: try directory.content(of: TopLevelRole.timestamp.file, limit: limits.timestampLength),
            snapshot: try directory.content(of: TopLevelRole.snapshot.file, limit: limits.snapshotLength),
            targets: try directory.content(of: TopLevelRole.targets.file, limit: limits.targetsLength))
        do {
            return try MetadataUpdate(root: root, stored: stored, at: start, limits: limits)
        } catch {
            throw StoreError(
                .trustStoredRoot, ["path": .path(directory.path + "/" + TopLevelRole.root.file)], cause: error)
        }
    }

    /// Returns what the store's signed metadata states of a file, and fetches the delegated roles that this requires.
    ///
    /// - Parameter publishers: the publishers of the store (``VerifiedMetadata/publishers()``), to refuse metadata of a
    ///   publisher who signed more than their own files; `nil` for the rules of The Update Framework only.
    /// - Throws: `trust.unknown-target` if no role lists the file; why a role could not be fetched or verified;
    ///   `trust.publisher-scope`.
    public func file(
        _ path: String, in metadata: VerifiedMetadata, publishers: PublisherTable? = nil
    ) async throws -> TargetFile {
        var search = try TargetSearch(for: path, in: metadata, publishers: publishers, limits: limits)
        while true {
            switch search.step {
            case .found(let file): return file
            case .load(let request): try await load(request, into: &search)
            }
        }
    }

    private func load(_ request: MetadataRequest, into search: inout TargetSearch) async throws {
        if let stored = try directory.content(of: request.file, limit: request.limit) {
            // Stored metadata is not valid any more if there is a newer version, or if other keys are trusted now.
            if let role = try? search.verify(stored) { return try search.receive(role) }
        }
        guard let bytes = try await fetch(request) else { throw request.missing }
        let role = try search.verify(bytes)
        try directory.store(bytes, as: request.file)
        try search.receive(role)
    }
}
