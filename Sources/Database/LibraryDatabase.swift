import Dispatch
public import FoundationEssentials
import GRDB
public import StoreModel
import Synchronization

/// The SQLite database with the index of installed packs, operations, purchases and event numbers.
///
/// One connection does all work on a dispatch queue of its own, so no call blocks Swift's concurrency pool. When a call
/// returns, its change is on the disk, survives a power cut, and is visible to every later call; only
/// ``endWithoutWaiting(_:as:at:error:onFailure:)`` returns before. Calls ignore the cancellation of their task: a
/// change is made or it fails. Errors are `StoreError` with a code of the module.
public final class LibraryDatabase: Sendable {
    /// The state of the database file when it was opened, which decides what has to be restored from the receipts.
    ///
    /// A database counts as created or rebuilt at every opening until ``completeRestoration()`` was called.
    public enum Origin: Sendable, Hashable {
        /// The database file existed and was opened without a repair.
        case existing
        /// The database file did not exist and was created.
        ///
        /// The index of packs is empty and must be filled from the receipts, which also name purchases.
        case created
        /// The database file was damaged and was replaced.
        ///
        /// As for ``created``, data must be restored from the receipts. `reason` is a text for display: what was wrong,
        /// what was recovered, and where the old file is.
        case rebuilt(reason: String)
    }

    /// The path of the database file.
    public let path: String
    /// The state of the database file when it was opened: used, created or rebuilt.
    public let origin: Origin
    private let queue: DatabaseQueue
    /// The open directory of a database whose path is too long for SQLite; `nil` if the path is short enough.
    ///
    /// It is held because ``queue`` reaches the file through the directory's descriptor.
    private let longPathDirectory: LongPathDirectory?
    /// The ends of operations that could not be written to the database yet, the oldest first.
    private let pendingEnds = Mutex<[DatabaseChanges]>([])
    /// The lowest event number that this database connection may reserve; see ``reserveSequence(_:)``.
    let firstSequence: Int64
    private let counters = Mutex(DatabaseMetrics())
    private let waiting = Mutex(WaitingChanges())

    /// The database changes that wait for the next group commit.
    private struct WaitingChanges {
        typealias Element = (changes: DatabaseChanges, done: @Sendable (Result<Void, any Error>) -> Void)

        private(set) var elements: [Element] = []
        /// Whether a transaction was requested that begins as soon as the connection is free.
        private var isRequested = false
        /// The number of callers whose changes the last group commit made.
        private var lastCount = 0

        /// Adds changes to the next group.
        ///
        /// - Parameter mayWait: whether the transaction may be delayed so that other changes join it. A change that may
        ///   not wait starts the transaction at once, for the whole group.
        /// - Returns: after which time the caller has to request a transaction; `nil` if that is done already.
        mutating func add(_ element: Element, mayWait: Bool) -> DispatchTimeInterval? {
            elements.append(element)
            if isRequested { return nil }
            if mayWait, let delay = LibraryDatabase.delay(afterGroupOf: lastCount) {
                return elements.count == 1 ? delay : nil
            }
            isRequested = true
            return .nanoseconds(0)
        }

        mutating func take() -> [Element] {
            defer { (elements, isRequested, lastCount) = ([], false, elements.count) }
            return elements
        }
    }

    /// Opens the library's database, or creates it in a directory that must exist.
    ///
    /// An older schema is migrated. The file is checked; a damaged file is replaced by a new one with the purchases and
    /// operations that can still be read. Where that fails or is interrupted, the damaged file stays, and the next call
    /// tries again.
    ///
    /// - Parameters:
    ///   - path: the path of the database file.
    ///   - now: the current time. The lowest event number that may be reserved is its milliseconds since 1970, even if
    ///     the recorded next number is lower.
    /// - Throws: `database.newer` if a newer version of the program wrote the file, which is left untouched;
    ///   `database.denied`, `space.disk-full`, `database.failed`.
    public init(path: String, now: Date = Date()) async throws {
        self.path = path
        firstSequence = now.millisecondsSince1970
        let file = DatabaseFile(path: path)
        longPathDirectory = file.longPathDirectory
        (queue, origin) = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "storectl.database.opening").async {
                continuation.resume(
                    with: Result { try file.open() }.mapError { StoreError.database($0, path: path) })
            }
        }
    }

    /// Waits for running calls and closes the database file; later calls throw `database.failed`.
    ///
    /// - Throws: `database.failed`, `space.disk-full`.
    public func close() async throws {
        queue.asyncBarrierWriteWithoutTransaction(commitWaiting)
        try await perform { _ in }
        do { try queue.close() } catch { throw StoreError.database(error, path: path) }
    }

    /// Records that everything that the receipts name is in the database, so that later openings report
    /// ``Origin/existing``.
    ///
    /// - Throws: `database.failed`, `database.denied`, `space.disk-full`.
    public func completeRestoration() async throws {
        try await perform { try PendingRestoration.nothing.write(to: $0) }
    }

    /// The counters of the database connection since it was opened.
    public var metrics: DatabaseMetrics { counters.withLock { $0 } }

    // MARK: Writing

    /// Makes several changes of the database in one transaction: all of them, or none.
    ///
    /// Changes of other callers that wait at the same time join the transaction (group commit), so that many callers
    /// wait for the disk once.
    ///
    /// - Parameter gather: adds the changes to its argument; if it throws an error, nothing is written and the error is
    ///   rethrown.
    /// - Throws: `database.failed`, `database.denied`, `space.disk-full`.
    public func write(_ gather: (inout DatabaseChanges) throws -> Void) async throws {
        var changes = DatabaseChanges()
        try gather(&changes)
        try await write(changes)
    }

    /// The number of calls of ``write(_:)`` that no transaction has taken yet.
    ///
    /// Tests wait for it.
    var waitingCount: Int { waiting.withLock { $0.elements.count } }

    private func write(_ changes: DatabaseChanges, mayWait: Bool = false) async throws {
        try await withCheckedThrowingContinuation { continuation in
            add((changes, { continuation.resume(with: $0) }), mayWait: mayWait)
        }
    }

    private func add(_ element: WaitingChanges.Element, mayWait: Bool) {
        guard let delay = waiting.withLock({ $0.add(element, mayWait: mayWait) }) else { return }
        guard delay != .nanoseconds(0) else { return queue.asyncBarrierWriteWithoutTransaction(commitWaiting) }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
            self.queue.asyncBarrierWriteWithoutTransaction(self.commitWaiting)
        }
    }

    /// Returns how long the end of an operation waits for others after a transaction with the changes of `count` callers.
    ///
    /// After a large group more ends usually follow, because packs committed together end one after another. The delay
    /// is about the duration of one sync.
    static func delay(afterGroupOf count: Int) -> DispatchTimeInterval? { count >= 8 ? .milliseconds(20) : nil }

    private func commitWaiting(_ database: Result<GRDB.Database, any Error>) {
        let group = waiting.withLock { $0.take() }
        if group.isEmpty { return }
        let result = commit(group.map(\.changes), database)
        guard case .failure = result, group.count > 1 else {
            for (_, done) in group { done(result) }
            return
        }
        // One change that can't be written must not make the others fail.
        for (changes, done) in group { done(commit([changes], database)) }
    }

    private func commit(
        _ group: [DatabaseChanges], _ database: Result<GRDB.Database, any Error>
    ) -> Result<Void, any Error> {
        Result {
            try counted {
                let database = try database.get()
                writePendingEnds(to: database)
                try database.mappingFailedAccess(path) {
                    try database.inTransaction(.immediate) {
                        for changes in group { try changes.apply(to: database) }
                        return .commit
                    }
                }
            }
        }.mapError { StoreError.database($0, path: path) }
    }

    /// Records the end of an operation in the database, and retries later if that fails.
    ///
    /// If that fails, the end stays in memory and is written with the next transaction that succeeds, by
    /// ``retryPendingEnds()``, or at the latest by ``close()``.
    ///
    /// - Throws: the reason why the end is not on the disk yet.
    public func end(
        _ record: OperationRecord, as end: OperationEnd, at date: Date, error: ErrorReport? = nil
    ) async throws {
        let changes = DatabaseChanges(end: end, of: record, at: date, error: error)
        do {
            try await write(changes, mayWait: true)
        } catch {
            pendingEnds.withLock { $0.append(changes) }
            throw error
        }
    }

    /// Records the end of an operation, and returns before it is written to the disk.
    ///
    /// Later calls of this object see the end, but a crash may lose it. Only for operations whose outcome the next start of
    /// the program can determine, such as an uninstall: the pack is there or not. A write that fails is tried again later, as
    /// in ``end(_:as:at:error:)``.
    ///
    /// - Parameter onFailure: called with the error if the first attempt to write the end fails.
    public func endWithoutWaiting(
        _ record: OperationRecord, as end: OperationEnd, at date: Date, error: ErrorReport? = nil,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        let changes = DatabaseChanges(end: end, of: record, at: date, error: error)
        let done: @Sendable (Result<Void, any Error>) -> Void = { [self] result in
            guard case .failure(let failure) = result else { return }
            pendingEnds.withLock { $0.append(changes) }
            onFailure(failure)
        }
        add((changes, done), mayWait: false)
    }

    /// Tries again to write the ends of operations that could not be written, such as after space was freed.
    ///
    /// Where that fails again, they stay in memory.
    public func retryPendingEnds() async {
        if pendingEnds.withLock({ $0.isEmpty }) { return }
        try? await perform { _ in }
    }

    /// Writes the ends of operations that could not be written to the database before.
    ///
    /// A failure is not reported to the caller, who waits for another change; the ends stay in memory.
    private func writePendingEnds(to database: GRDB.Database) {
        let changes = pendingEnds.withLock { $0 }
        guard !changes.isEmpty else { return }
        let isDone: Void? = try? database.inTransaction(.immediate) {
            for change in changes { try change.apply(to: database) }
            return .commit
        }
        if isDone != nil { pendingEnds.withLock { $0.removeFirst(changes.count) } }
    }

    // MARK: Transactions

    /// Runs `body` as one database transaction on the connection's queue.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (GRDB.Database) throws -> Value
    ) async throws -> Value {
        // GRDB's own async functions stop with the task that calls them; the record of an operation's end must not get
        // lost because its task was cancelled.
        try await withCheckedThrowingContinuation { continuation in
            queue.asyncBarrierWriteWithoutTransaction { [path] result in
                continuation.resume(
                    with: Result {
                        try self.counted {
                            let database = try result.get()
                            self.writePendingEnds(to: database)
                            var value: Value?
                            try database.mappingFailedAccess(path) {
                                try database.inTransaction(.immediate) {
                                    value = try body(database)
                                    return .commit
                                }
                            }
                            // inTransaction returns only after its body did.
                            return value!
                        }
                    }.mapError { StoreError.database($0, path: path) })
            }
        }
    }

    /// Runs `body`, and adds one transaction and its duration to the counters of the database connection.
    private func counted<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer {
            counters.withLock { counters in
                counters.transactions += 1
                counters.busy += ContinuousClock.now - start
            }
        }
        return try body()
    }
}
