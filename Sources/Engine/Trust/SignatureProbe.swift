import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTrust

/// A check whether a store that was added without a signature publishes signed metadata now.
///
/// It costs one small request a day, and only when the user asks for a refresh. Its result changes nothing of what is
/// accepted from the store: it is shown, so that the user can add the store again with its root.
actor SignatureProbe {
    /// The result of the last check, as it is cached.
    private struct Result: Codable {
        var checkedAt: Date
        var isAvailable: Bool
    }

    private static let file = "signature.json"
    private static let interval: TimeInterval = 86_400

    private let directory: Directory
    private let location: StoreLocation
    private var result: Result?

    /// Creates the check of a store.
    ///
    /// - Parameter directory: the store's directory in the cache.
    init(directory: Directory, url: URL) {
        self.directory = directory
        location = StoreLocation(url)
        result = (try? directory.read(Self.file, limit: 1 << 10)).flatMap { try? JSON.decode(from: $0) }
    }

    /// Whether the store published signed metadata when it was checked last.
    var isAvailable: Bool { result?.isAvailable ?? false }

    /// Checks the store, unless that was done today; a store that can't be reached is checked the next time.
    func check(with documents: any DocumentFetching, at now: Date) async {
        if let checkedAt = result?.checkedAt, abs(now.timeIntervalSince(checkedAt)) < Self.interval { return }
        let file = TopLevelRole.timestamp.file
        guard let url = location.metadata(file),
            let fetched = try? await documents.fetch(
                url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: TrustLimits().timestampLength)
        else { return }
        var isAvailable = false
        if case .document(let data, _, _, _) = fetched {
            isAvailable = (try? SignedMetadata<Timestamp>(parsing: data, file: file)) != nil
        }
        let result = Result(checkedAt: now, isAvailable: isAvailable)
        self.result = result
        try? directory.replace(Self.file, with: JSON.encode(result))
    }
}
