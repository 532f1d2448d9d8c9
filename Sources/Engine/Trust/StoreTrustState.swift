import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust
import Synchronization

/// What this computer trusts of one signed store: its metadata, and the record of the last verification.
///
/// It is the directory `trust/NAME` of the data directory, and not of the cache: without it, a server could go back to
/// an older state of the store. Metadata is in `metadata`, the record in `state.json`, and the targets metadata that
/// names the publishers of the accepted catalogue in `publishers.json`.
final class StoreTrustState: Sendable {
    /// The record of the last verification of a store.
    struct Record: Sendable, Hashable, Codable {
        /// The fingerprint of the root with which the store was added.
        var fingerprint: String
        /// The version of the root that was trusted at the last verification.
        @OrNull var rootVersion: Int?
        /// When metadata and catalogue were last verified over the network.
        @OrNull var verifiedAt: Date?
        /// When the server was last asked for a newer root.
        @OrNull var rootsCheckedAt: Date?
        /// The latest time that was seen, so that a clock that is set back does not make metadata young again.
        @OrNull var latestTime: Date?
        /// The first date on which a part of the verified metadata expires.
        @OrNull var expires: Date?
        /// The SHA-256 of the timestamp under which the catalogue was accepted completely; `nil` if parts are missing.
        @OrNull var timestamp: SHA256Digest?
        /// The entity tag of that timestamp, for conditional requests.
        @OrNull var etag: String?
        /// The modification time of that timestamp as the server sent it, for conditional requests.
        @OrNull var lastModified: String?
        /// The SHA-256 of the top document of the store's own catalogue; `nil` if it has none.
        @OrNull var document: SHA256Digest?
        /// The SHA-256 of the top document of each publisher's catalogue, by the publisher's name.
        var publishers: [String: SHA256Digest] = [:]
        /// Descriptions of what was left out of the catalogue, one line each.
        var warnings: [String] = []

        init(fingerprint: String) { self.fingerprint = fingerprint }
    }

    private static let stateFile = "state.json"
    private static let publishersFile = "publishers.json"
    /// The time from which a newer time of verification is saved; writing it each time would cost a sync of the disk.
    private static let savedEvery: TimeInterval = 60
    /// The time from which a later time that was seen is saved.
    private static let timeSavedEvery: TimeInterval = 600

    /// The directory of the store's trusted metadata.
    let metadata: MetadataDirectory
    /// The limit of updates of the directory that run at once: one.
    let updates = ConcurrencyLimit(1)
    private let directory: Directory
    private let state: Mutex<(record: Record, saved: Record?)>
    /// Held while the record is written, so that an older record never replaces a newer one.
    private let saving = Mutex<Void>(())

    /// Opens what is trusted of a store.
    ///
    /// - Parameters:
    ///   - directory: the store's directory, which exists.
    ///   - fingerprint: the fingerprint of the root with which the store was added.
    init(_ directory: Directory, fingerprint: String) throws(StoreError) {
        self.directory = directory
        metadata = MetadataDirectory(try directory.createDirectory("metadata"))
        let saved: Record? = (try? directory.read(Self.stateFile, limit: 16 << 20)).flatMap {
            try? JSON.decode(from: $0)
        }
        // A record of another root says nothing of this one.
        let record = saved.flatMap { $0.fingerprint == fingerprint ? $0 : nil }
        state = Mutex((record ?? Record(fingerprint: fingerprint), record))
    }

    /// Whether there is a trusted root, without which nothing of the store can be verified.
    var hasRoot: Bool { ((try? directory.status(of: "metadata/root.json")) ?? nil) != nil }

    /// The record of the last verification.
    var record: Record { state.withLock(\.record) }

    /// Returns the current time, or the latest time that was seen if that is later.
    ///
    /// Metadata must not become valid again because the clock is set back.
    func time(_ clock: Date) -> Date { max(clock, record.latestTime ?? clock) }

    /// Records a complete verification and saves it.
    ///
    /// - Parameter targets: the targets metadata that names the publishers of the catalogue; `nil` if there are none.
    func accept(_ record: Record, targets: Data?) throws {
        if let targets {
            try directory.replace(Self.publishersFile, with: targets)
        } else if try directory.status(of: Self.publishersFile) != nil {
            try directory.remove(Self.publishersFile)
        }
        state.withLock { $0.record = record }
        try save()
    }

    /// Records that the verified metadata is still the newest one at a time.
    func confirm(at time: Date) throws {
        let isDue = state.withLock { state in
            state.record.verifiedAt = time
            state.record.latestTime = max(time, state.record.latestTime ?? time)
            // A time in the future was saved while the clock was ahead.
            return state.saved?.verifiedAt.map { abs(time.timeIntervalSince($0)) >= Self.savedEvery } ?? true
        }
        if isDue { try save() }
    }

    /// Records a time that was seen, and saves it from time to time.
    ///
    /// A time at which nothing is installed from the store any more counts as the first such time, so that a clock that
    /// was years ahead once does not stop the store for years.
    ///
    /// - Parameter limit: the age of the last verification from which nothing is installed.
    func observe(_ time: Date, limit: Duration) {
        let isDue = state.withLock { state in
            guard let verifiedAt = state.record.verifiedAt else { return false }
            let seen = min(time, verifiedAt + limit.seconds + 1)
            guard seen > state.record.latestTime ?? verifiedAt else { return false }
            state.record.latestTime = seen
            return seen.timeIntervalSince(state.saved?.latestTime ?? .distantPast) >= Self.timeSavedEvery
        }
        // Where the disk is full, the time is known until the process ends.
        if isDue { try? save() }
    }

    /// Clears the latest time that was seen; the next verification sets it again, and saves it in any case.
    ///
    /// - Returns: the cleared time, for ``restoreLatestTime(_:)``; `nil` if there was none.
    func forgetLatestTime() -> Date? {
        state.withLock { state in
            // Otherwise the cleared time would be back after a restart: a verification soon after the saved one is not saved.
            defer {
                state.record.latestTime = nil
                state.saved = nil
            }
            return state.record.latestTime
        }
    }

    /// Sets a cleared time again, unless a later one was seen meanwhile.
    func restoreLatestTime(_ time: Date) {
        state.withLock { $0.record.latestTime = max(time, $0.record.latestTime ?? time) }
    }

    /// The publishers of the accepted catalogue; `nil` if they can't be read.
    var publishers: PublisherTable? {
        guard let bytes = try? directory.read(Self.publishersFile, limit: TrustLimits().targetsLength),
            let targets = try? SignedMetadata<Targets>(parsing: bytes, file: TopLevelRole.targets.file)
        else { return nil }
        return try? PublisherTable(targets.signed)
    }

    private func save() throws {
        try saving.withLock { _ in
            let record = record
            try directory.replace(Self.stateFile, with: JSON.encode(record))
            state.withLock { $0.saved = record }
        }
    }
}
