import FoundationEssentials
import StoreModel
public import StoreSystem
import Synchronization

/// Runs workers, confined processes that read untrusted bytes, and validates what they report.
///
/// Each task has a process of its own, which ends with the task. The processes are copies of helpers, processes of the
/// program `store-worker`, which are started when they are needed and kept for the next task. A task blocks the thread
/// that asks for it.
///
/// Where there is no such program, or the kernel can't confine it, ``availability`` says why, and the tasks are done in
/// this process unless the settings forbid that.
public final class WorkerService: Sendable {
    /// The settings of a service.
    public struct Settings: Sendable, Hashable {
        /// Whether a task fails if it can't be done by a confined process.
        public var isRequired = false
        /// The limits of each worker.
        public var limits = WorkerLimits()
        /// The maximum number of helpers that are kept while they have nothing to do.
        ///
        /// As many as packs are unpacked at once, by default.
        public var keptHelpers = max(2, ParallelWork.processors)

        /// Creates settings with the default values.
        public init() {}
    }

    private struct State {
        var settings: Settings
        var availability: WorkerAvailability?
        /// The last failure to start a helper, and its time; `nil` once one was started.
        var failure: (found: WorkerAvailability, at: ContinuousClock.Instant)?
        var idle: [WorkerHelper] = []
        var isClosed = false
        /// The JSON of the last requests to unpack and to check packs, which are the same for each number of packs of a kind.
        var frequent: [WorkerRequest: Data] = [:]
    }

    /// The number of requests whose JSON is kept: each kind of pack has its own to check it, for each number of packs.
    private static let keptRequests = 256

    /// The time after a failure to start a helper in which it is not tried again.
    private static let retryInterval: Duration = .seconds(10)

    /// The maximum time of a worker that reads several packs, so that one of them does not hold up the others for long.
    ///
    /// A pack that needs more is read alone.
    private static let timeOfSharedWorker: Duration = .seconds(10)

    /// The file name of the program of helpers and workers.
    public static let programName = "store-worker"

    /// The file name of the program of the processes that draw pictures.
    public static let pictureProgramName = "store-thumbnailer"

    private let name: String
    private let program: InstalledProgram?
    private let scratch: Directory?
    private let state: Mutex<State>

    /// Creates a service that finds the program beside the running one or on `PATH`.
    ///
    /// - Parameters:
    ///   - name: the file name of the program.
    ///   - environment: the environment of the process, with its `PATH`.
    ///   - scratch: as for ``init(_:name:program:scratch:)``.
    public convenience init(
        _ settings: Settings, name: String = WorkerService.programName, environment: [String: String],
        scratch: Directory? = nil
    ) {
        self.init(
            settings, name: name, program: InstalledProgram.find(name, environment: environment), scratch: scratch)
    }

    /// Creates a service with a program at a known path; `nil` for none.
    ///
    /// - Parameter scratch: a directory for the warm-up of helpers, which lets workers take less time; `nil` for none.
    ///   The owner of the directory removes what a killed process has left in it.
    public init(
        _ settings: Settings, name: String = WorkerService.programName, program: InstalledProgram?,
        scratch: Directory? = nil
    ) {
        self.name = name
        self.program = program
        self.scratch = scratch
        state = Mutex(State(settings: settings))
    }

    /// Replaces the settings, from the next task on.
    public func apply(_ settings: Settings) { state.withLock { $0.settings = settings } }

    /// Ends the helpers that have nothing to do.
    ///
    /// A task that is begun later gets a new helper, which ends with the task.
    public func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for helper in idle { helper.end() }
    }

    // MARK: Availability

    /// Whether tasks are done by confined processes, and by which means.
    ///
    /// The first call starts a helper, and blocks until a worker has described its confinement. Where no helper can be started,
    /// a call tries it again after ten seconds: the reason may be one of the moment, such as a lack of file descriptors.
    public var availability: WorkerAvailability {
        let known = state.withLock { state in
            let isRecent = state.failure.map { $0.at.duration(to: .now) < Self.retryInterval } ?? false
            return state.availability ?? (isRecent ? state.failure?.found : nil)
        }
        if let known { return known }
        let found = findAvailability()
        return state.withLock { state in
            if let known = state.availability { return known }
            if program != nil, found.failure != nil {
                state.failure = (found, .now)
            } else {
                (state.availability, state.failure) = (found, nil)
            }
            return found
        }
    }

    /// What is known of ``availability`` without starting a process.
    ///
    /// Before the first task that is whether there is a program, and what this kernel can restrict.
    public var expectedAvailability: WorkerAvailability {
        if let known = state.withLock({ $0.availability ?? $0.failure?.found }) { return known }
        guard let program else { return availability }
        return WorkerAvailability(
            program: program.path, missing: Confinement.expectedReport.missing, failure: nil)
    }

    /// Returns whether a task is to be done by a worker; otherwise it is done in this process.
    ///
    /// - Throws: `worker.unavailable` if there can be no worker and the settings require one.
    func usesWorker() throws(StoreError) -> Bool {
        guard let reason = availability.obstacle else { return true }
        guard state.withLock({ $0.settings.isRequired }) else { return false }
        throw StoreError(.workerUnavailable, ["reason": reason])
    }

    private func findAvailability() -> WorkerAvailability {
        guard let program else {
            return WorkerAvailability(program: nil, missing: [:], failure: "there is no program '\(name)'")
        }
        do {
            let report = try run(.describeConfinement, WorkerFiles(), CancellationFlag())
            guard case .confinement(let missing) = report else {
                throw WorkerFailure.crashed("its report is malformed")
            }
            let known = missing.compactMap { name, reason in
                ConfinementReport.Part(rawValue: name).map { ($0, reason) }
            }
            return WorkerAvailability(
                program: program.path, missing: Dictionary(known) { first, _ in first }, failure: nil)
        } catch {
            return WorkerAvailability(
                program: program.path, missing: [:], failure: "the program does not work: \(ErrorReport(error).message)"
            )
        }
    }

    // MARK: Tasks

    /// Has a worker do a task, and returns what it reports once it has ended.
    ///
    /// - Throws: `worker.crashed`, `worker.timeout`, `worker.memory`; an error of the system if no worker can be started;
    ///   `CancellationError`.
    func run(
        _ task: WorkerTask, _ files: WorkerFiles, _ cancellation: CancellationFlag
    ) throws -> WorkerReport {
        var limits = state.withLock { $0.settings.limits }
        if task.sharesWorker { limits.time = min(limits.time, Self.timeOfSharedWorker) }
        let request = WorkerRequest(
            task: task, limits: limits, directories: files.directories.count, archives: files.archives.count)
        let (helper, report) = try begin(json(of: request), files, limits)
        switch helper.follow(report, limits: limits, cancellation) {
        case .finish(let report):
            keep(helper)
            return report
        case .fail(.cancelled): throw CancellationError()
        case .fail(.timeout): throw StoreError(.workerTimeout, ["limit": limits.time])
        case .fail(.memory): throw StoreError(.workerMemory, ["limit": .size(limits.memory)])
        case .fail(.crashed(let reason)): throw StoreError(.workerCrashed, ["reason": reason])
        case .wait, .kill: throw StoreError(.unexpectedError, ["error": "the worker session ended without a result"])
        }
    }

    /// Sends a request to an idle helper, or to a new one.
    private func begin(
        _ request: Data, _ files: WorkerFiles, _ limits: WorkerLimits
    ) throws -> (WorkerHelper, PipeEnd) {
        // A helper that was killed while it was idle is replaced.
        while let helper = state.withLock({ $0.idle.popLast() }) {
            if let report = try helper.send(request, files) { return (helper, report) }
        }
        guard let program else { throw StoreError(.workerUnavailable, ["reason": "the program is missing"]) }
        let helper = try WorkerHelper(program, scratch: scratch, time: limits.time)
        guard let report = try helper.send(request, files) else {
            throw StoreError(.workerCrashed, ["reason": "it ended when it was started"])
        }
        return (helper, report)
    }

    private func json(of request: WorkerRequest) throws -> Data {
        if let known = state.withLock({ $0.frequent[request] }) { return known }
        let json = try JSON.encode(request)
        switch request.task {
        case .unpack, .unpackInMemory, .check, .checkInMemory:
            state.withLock { state in
                if state.frequent.count == Self.keptRequests { state.frequent = [:] }
                state.frequent[request] = json
            }
        default: break
        }
        return json
    }

    private func keep(_ helper: WorkerHelper) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < state.settings.keptHelpers else { return false }
            state.idle.append(helper)
            return true
        }
        if !isKept { helper.end() }
    }
}
