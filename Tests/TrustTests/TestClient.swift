import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreTrust
import Synchronization

/// A client with its own directory of trusted metadata, which fetches from a ``TestRepository``.
final class TestClient: Sendable {
    private let folder: TemporaryFolder
    private let requested = Mutex<[String]>([])
    let limits: TrustLimits

    init(trusting repository: TestRepository, limits: TrustLimits = TrustLimits()) throws {
        folder = try TemporaryFolder(inMemory: true)
        self.limits = limits
        try MetadataDirectory(folder.directory).initialize(root: repository.server["1.root.json"]!)
    }

    var directory: Directory { folder.directory }

    /// The names of the files that the last call requested.
    var requests: [String] { requested.withLock { $0 } }

    private func updater(_ repository: TestRepository) -> MetadataUpdater {
        let server = repository.server
        requested.withLock { $0 = [] }
        return MetadataUpdater(in: MetadataDirectory(folder.directory), limits: limits) { [self] request in
            requested.withLock { $0.append(request.remoteName) }
            return server[request.remoteName]
        }
    }

    @discardableResult
    func update(from repository: TestRepository, at date: Date = TestRepository.start) async throws -> VerifiedMetadata
    {
        try await updater(repository).update(at: date)
    }

    /// Returns the stored metadata without fetching any.
    func stored(at date: Date = TestRepository.start) throws -> VerifiedMetadata {
        let updater = MetadataUpdater(in: MetadataDirectory(folder.directory), limits: limits) { _ in nil }
        return try updater.stored(at: date)
    }

    /// Updates the metadata, finds a file, and returns its verified content.
    ///
    /// - Parameter hasPublishers: whether the rules for several publishers in one store are applied.
    @discardableResult
    func file(
        _ path: String, from repository: TestRepository, at date: Date = TestRepository.start,
        hasPublishers: Bool = false
    ) async throws -> String {
        let updater = updater(repository)
        let metadata = try await updater.update(at: date)
        let publishers = hasPublishers ? try metadata.publishers() : nil
        let target = try await updater.file(path, in: metadata, publishers: publishers)
        let name = target.remotePath(hasConsistentSnapshots: metadata.root.signed.hasConsistentSnapshots)
        let content = repository.server[name] ?? Data()
        try target.check(content)
        return String(decoding: content, as: UTF8.self)
    }

    /// Returns the version of a stored metadata file; `nil` if there is none.
    func version(_ role: String) throws -> Int? {
        guard try directory.status(of: role + ".json") != nil else { return nil }
        let json: CanonicalJSON = try JSON.read(from: try directory.read(role + ".json"))
        guard case .integer(let digits)? = json["signed"]?["version"] else { return nil }
        return Int(digits)
    }

    /// The versions of the stored root, timestamp, snapshot and targets; 0 where there is none.
    var versions: [Int] {
        get throws { try ["root", "timestamp", "snapshot", "targets"].map { try version($0) ?? 0 } }
    }
}
