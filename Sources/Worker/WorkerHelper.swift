import FoundationEssentials
import StoreModel
import StoreSystem

/// A helper, a process of the program `store-worker`, and the socket over which its workers receive requests.
///
/// The helper and its worker are killed when the object is released.
final class WorkerHelper: Sendable {
    /// The number of bytes of a report that are read at once.
    ///
    /// Most reports have a few; a pipe holds 64 KiB.
    private static let piece = 4 << 10

    private let process: HelperProcess
    private let socket: MessageSocket

    /// Starts a helper, and waits until it is prepared for its first worker.
    ///
    /// - Parameters:
    ///   - scratch: the directory in which the helper gets an empty one, which is removed afterwards; `nil` for none, and
    ///     workers then take longer.
    ///   - time: the maximum time for the preparation, which takes milliseconds on a machine that has nothing else to do.
    /// - Throws: `worker.timeout`; an error of the system if the program can't be started.
    init(_ program: InstalledProgram, scratch: Directory?, time: Duration) throws {
        (process, socket) = try Self.start(program)
        let name = "worker-\(process.identifier)"
        let directory = try? scratch?.createDirectory(name)
        defer { if directory != nil { try? scratch?.removeTree(name) } }
        do {
            let descriptors = directory.map { [FileDescriptor(rawValue: $0.descriptor)] } ?? []
            try socket.send(WorkerRequest.preparation, descriptors: descriptors)
            let answers = try FileDescriptor.awaitReadable(
                [FileDescriptor(rawValue: socket.descriptor)], atMost: time)
            guard !answers.isEmpty else {
                process.end()
                throw StoreError(.workerTimeout, ["limit": time])
            }
            _ = try socket.receive(limit: 64)
        } catch let error as SystemCallError {
            // That the helper has ended is known when it gets its first request.
            guard error.errno == .brokenPipe || error.errno == .connectionReset else { throw error }
        }
    }

    /// Starts the program, and returns this process's end of the socket.
    ///
    /// The program's end is closed here on return, so that the end of the program is noticed.
    private static func start(_ program: InstalledProgram) throws -> (HelperProcess, MessageSocket) {
        let (ours, theirs) = try MessageSocket.pair()
        return (try HelperProcess([program.path], input: theirs), ours)
    }

    /// Kills the helper, with which the kernel ends its worker, too.
    func end() { process.end() }

    /// Sends a request to the next worker.
    ///
    /// - Parameter request: the JSON of a ``WorkerRequest``.
    /// - Returns: the pipe with the report of the worker; `nil` if the helper has ended.
    func send(_ request: Data, _ files: WorkerFiles) throws -> PipeEnd? {
        let file = try OpenFile.inMemory()
        try file.write(request)
        let pipe = try Pipe.open()
        // Only for reading: an archive is kept for the next repair, and must not change.
        let archives = try files.archives.map { try $0.reopenedForReading() }
        let numbers =
            [file.descriptor, pipe.writer.descriptor.rawValue] + files.directories.map(\.descriptor)
            + archives.map(\.descriptor) + (files.output.map { [$0.descriptor] } ?? [])
        do throws(SystemCallError) {
            try socket.send(
                WorkerRequest.message, descriptors: numbers.map(FileDescriptor.init(rawValue:)))
        } catch {
            guard error.errno == .brokenPipe || error.errno == .connectionReset else { throw error }
            return nil
        }
        return withExtendedLifetime((file, files, archives, pipe.writer)) { pipe.reader }
    }

    /// Follows a worker until it has ended.
    ///
    /// Blocks. Cancellation is noticed within a twentieth of a second.
    func follow(_ report: PipeEnd, limits: WorkerLimits, _ cancellation: CancellationFlag) -> WorkerSession.Action {
        var session = WorkerSession(limits: limits)
        let end = ContinuousClock.now + limits.time
        // The report of a short task is read when the helper says that the worker has ended: so the task wakes this thread
        // once. After 50 ms, a report is read as it arrives: a long one fills the pipe, and its worker waits.
        var (readsReport, isReported, isStopped) = (false, false, false)
        while true {
            var action = WorkerSession.Action.wait
            let source = readsReport && !isReported ? report.descriptor : FileDescriptor(rawValue: socket.descriptor)
            let isReadable =
                (try? FileDescriptor.awaitReadable([source], atMost: .milliseconds(50)))?.isEmpty == false
            // Also while a worker reports something again and again, and only once.
            if !isStopped, cancellation.isCancelled || ContinuousClock.now >= end {
                isStopped = true
                action = cancellation.isCancelled ? session.cancelled() : session.timeIsOver()
            } else if !isReadable {
                readsReport = true
            } else if isReported {
                let message = (try? socket.receive(limit: 64))?.bytes ?? []
                action = WorkerEnding(message).map { session.ended($0.end) } ?? session.helperEnded()
            } else if readsReport {
                let bytes = (try? report.read(limit: WorkerHelper.piece)) ?? []
                isReported = bytes.isEmpty
                action = session.received(bytes)
            } else {
                readsReport = true
            }
            switch action {
            case .wait: continue
            case .kill: process.end()
            case .finish: return action
            case .fail:
                // How the worker ended may not have been received: nothing of this helper is used again.
                process.end()
                return action
            }
        }
    }
}
