import Foundation
import StoreSystem
import StoreTestSupport

/// A program that runs once on the files of a home, without a daemon, for the crash matrix.
protocol CommandSubject: CrashSubject {
    /// The files before the program runs; `nil` is an empty home.
    var initial: FolderTree? { get }
    /// Runs the program.
    ///
    /// - Parameter preloaded: the variables of the preloaded library.
    func execute(_ worker: CrashWorker, _ preloaded: [String: String]) async throws -> Programs.Result
    /// Checks the invariants.
    ///
    /// - Parameter isConfirmed: whether the program ended with success.
    /// - Returns: whether what the program does is done.
    func check(_ worker: CrashWorker, isConfirmed: Bool) async throws -> Bool
}

extension CommandSubject {
    func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome {
        var outcome = CrashOutcome()
        do {
            try begin(on: worker)
            try worker.control.order(fault, at: place)
            try worker.control.arm()
            let result = try await execute(
                worker, worker.shim.variables(home: worker.home, control: worker.control))
            outcome.call = try worker.control.call
            outcome.exits = [result.exit]
            try fault.check(result, isHit: outcome.call != nil)
            outcome.isNew = try await check(worker, isConfirmed: result.exit == 0)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }

    func record(on worker: CrashWorker) async throws -> PowerCutModel {
        try begin(on: worker)
        try worker.control.order(.none)
        let record = worker.folder.path + "/record"
        try? FileManager.default.removeItem(atPath: record)
        let result = try await execute(
            worker, worker.shim.variables(home: worker.home, control: worker.control, record: record))
        guard result.exit == 0 else { throw CrashWorker.Wrong(description: "\(result)") }
        try RecordedCall.note(.confirmed, in: record)
        return PowerCutModel(from: initial, try RecordedCall.read(record))
    }

    func recover(from state: PowerCutState, _ tree: FolderTree, on worker: CrashWorker) async -> CrashOutcome {
        var outcome = CrashOutcome(call: state.origin)
        do {
            try worker.put(tree)
            outcome.isNew = try await check(worker, isConfirmed: state.isConfirmed)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }

    private func begin(on worker: CrashWorker) throws {
        try worker.put(initial)
        if initial == nil { _ = try Directory.create(worker.home) }
    }
}
