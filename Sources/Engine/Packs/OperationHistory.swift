import FoundationEssentials
import Logging
import StoreDatabase
public import StoreModel

/// The part of the engine that records operations: installs, updates, repairs, uninstalls and rollbacks.
public struct OperationHistory: Sendable {
    let database: LibraryDatabase
    let clock: TimeSource
    let log: Logger

    /// Returns the record of one operation, running or ended.
    ///
    /// - Throws: `operation.unknown`.
    public func operation(_ operation: OperationID) async throws -> OperationRecord {
        guard let record = try await database.operation(operation) else {
            throw StoreError(.noSuchOperation, ["operation": operation.rawValue])
        }
        return record
    }

    /// Returns the records of operations, such as installations, the newest first.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product whose operations to return; `nil` is all.
    ///   - limit: the maximum number of operations.
    ///   - before: an operation; only those are returned that began before it.
    ///   - after: an operation; only those are returned that began after it, and of these the ones that began first.
    public func operations(
        of productIdentifier: String? = nil, limit: Int = 1000, before: OperationID? = nil, after: OperationID? = nil
    ) async throws -> [OperationRecord] {
        try await database.history(
            productIdentifier: productIdentifier, limit: limit, before: before, after: after)
    }

    /// Records in the database that an operation begins, runs `work`, and records the operation's end.
    ///
    /// An uninstall runs also where there is no space to record its begin, because it is what frees space.
    ///
    /// - Parameter work: carries out the operation and returns the version that the pack has afterwards.
    func record(
        _ operation: OperationRecord, _ work: (OperationID) async throws -> Version?
    ) async throws -> OperationRecord {
        var record = operation
        do {
            try await database.write { $0.begin(operation, plan: Data()) }
        } catch let error as StoreError where operation.action == .uninstall && error.code == .noSpace {
            log.warning("could not record the begin of \(operation.operation): \(error.message)")
        }
        do {
            record.version = try await work(record.operation)
            record.end = .finished
        } catch {
            record.end = .failed
            record.error = ErrorReport(error)
            recordEnd(record)
            throw error
        }
        record.endedAt = clock.date()
        recordEnd(record)
        log.info("\(record.action) ended", metadata: ["product": "\(record.productIdentifier)"])
        return record
    }

    /// Records the end of an operation, such as a rollback, in the database, and returns before it is written to the disk.
    ///
    /// A failed write is only logged. If a crash loses the record, the next start determines from the installed packs
    /// whether the operation was carried out, and records its end then.
    func recordEnd(_ record: OperationRecord) {
        guard let end = record.end else { return }
        database.endWithoutWaiting(record, as: end, at: record.endedAt ?? clock.date(), error: record.error) { [log] in
            log.error("could not record the end of \(record.operation) yet: \($0)")
        }
    }
}
