import StoreModel
import StoreSystem

/// The life of one worker as its supervisor sees it: a state machine without input and output.
///
/// Two events must come, in this order: the end of the worker's report, because the pipe is closed when the process
/// ends, and the exit status of the process, which the helper sends. Only then has the worker ended completely.
struct WorkerSession {
    /// What the supervisor does next.
    enum Action: Equatable {
        /// Wait for the next event.
        case wait
        /// Kill the worker by killing the helper that started it, and wait for the end of the report.
        case kill
        /// The worker has ended with a result, and its helper can start another one.
        case finish(WorkerReport)
        /// The worker has ended without a result.
        case fail(WorkerFailure)
    }

    private enum State {
        case running
        /// The worker has ended, or has closed its report, and its helper has not sent the exit status yet.
        case reported
        /// The worker is being killed for a reason.
        case killing(WorkerFailure)
        case ended
    }

    private var state = State.running
    private var report: [UInt8] = []
    private let limits: WorkerLimits

    init(limits: WorkerLimits) { self.limits = limits }

    /// The worker sent bytes of its report; an empty array is the report's end.
    mutating func received(_ bytes: [UInt8]) -> Action {
        switch state {
        case .running:
            if bytes.isEmpty {
                state = .reported
                return .wait
            }
            guard bytes.count <= WorkerReport.sizeLimit - report.count else {
                return kill(for: .crashed("its report is too long"))
            }
            report += bytes
            return .wait
        case .killing(let failure):
            // Output of a worker that is being killed is discarded.
            guard bytes.isEmpty else { return .wait }
            state = .ended
            return .fail(failure)
        case .reported, .ended: return .wait
        }
    }

    /// The helper sent the worker's exit status.
    mutating func ended(_ end: ProcessEnd) -> Action {
        switch state {
        // The rest of the report, if there is one, is still in the pipe.
        case .running, .killing, .ended: return .wait
        case .reported:
            state = .ended
            return result(end)
        }
    }

    /// The helper has ended before the worker did, or without sending the worker's exit status.
    mutating func helperEnded() -> Action {
        switch state {
        case .running: return kill(for: .crashed("it was killed"))
        case .reported:
            state = .ended
            return .fail(.crashed("it was killed"))
        case .killing, .ended: return .wait
        }
    }

    /// The worker's time limit has passed.
    mutating func timeIsOver() -> Action { kill(for: .timeout) }

    /// The user cancelled the operation.
    mutating func cancelled() -> Action { kill(for: .cancelled) }

    private mutating func kill(for failure: WorkerFailure) -> Action {
        switch state {
        case .running:
            state = .killing(failure)
            return .kill
        case .reported:
            // The pipe is closed, but the process may go on: it ends with its helper, which is waited for.
            state = .ended
            return .fail(failure)
        case .killing, .ended: return .wait
        }
    }

    private func result(_ end: ProcessEnd) -> Action {
        if let signal = end.signal {
            if signal == Signal.processorTime.rawValue { return .fail(.timeout) }
            // An allocation that fails ends the process by a signal, too. Part of the memory is not private and does not
            // count for the limit, so that the largest use is no exact sign.
            if end.largestMemory >= limits.memory / 4 * 3 { return .fail(.memory) }
            return .fail(.crashed("signal \(signal)"))
        }
        guard end.exitCode == WorkerExitCode.done else {
            return .fail(.crashed("exit code \(end.exitCode ?? 0)"))
        }
        guard let report = WorkerReport(report) else { return .fail(.crashed("its report is malformed")) }
        return .finish(report)
    }
}

/// The codes with which a worker exits.
enum WorkerExitCode {
    /// The worker has written its report.
    static let done: Int32 = 0
    /// There is no further request: the supervisor has closed its socket.
    static let noRequest: Int32 = 4
    /// The request was malformed, or the confinement is not sufficient.
    static let refused: Int32 = 5
}

/// Why a worker gave no result.
enum WorkerFailure: Error, Equatable {
    case crashed(String)
    case timeout
    case memory
    case cancelled
}
