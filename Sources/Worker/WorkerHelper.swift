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

    /// Starts a helper.
    init(_ program: InstalledProgram) throws(SystemCallError) {
        let (ours, theirs) = try MessageSocket.pair()
        process = try HelperProcess([program.path], input: theirs)
        socket = ours
    }

    /// Kills the helper, with which the kernel ends its worker, too.
    func end() { process.end() }

    /// Sends a request to the next worker.
    ///
    /// - Returns: the pipe with the report of the worker; `nil` if the helper has ended.
    func send(_ request: WorkerRequest, directory: Directory?, archive: OpenFile?) throws -> PipeEnd? {
        let file = try OpenFile.inMemory()
        try file.write(JSON.encode(request))
        let pipe = try Pipe.open()
        // Only for reading: the archive is kept for the next repair, and must not change.
        let archive = try archive?.reopenedForReading()
        let numbers = [file.descriptor, pipe.writer.descriptor.rawValue, directory?.descriptor, archive?.descriptor]
        do throws(SystemCallError) {
            try socket.send(
                WorkerRequest.message, descriptors: numbers.compactMap { $0.map(FileDescriptor.init(rawValue:)) })
        } catch {
            guard error.errno == .brokenPipe || error.errno == .connectionReset else { throw error }
            return nil
        }
        return withExtendedLifetime((file, archive, pipe.writer)) { pipe.reader }
    }

    /// Follows a worker until it has ended.
    ///
    /// Blocks. Cancellation is noticed within a twentieth of a second.
    func follow(_ report: PipeEnd, limits: WorkerLimits, _ cancellation: CancellationFlag) -> WorkerSession.Action {
        var session = WorkerSession(limits: limits)
        let end = ContinuousClock.now + limits.time
        var isReported = false
        while true {
            var action = WorkerSession.Action.wait
            let source = isReported ? FileDescriptor(rawValue: socket.descriptor) : report.descriptor
            if (try? FileDescriptor.awaitReadable([source], atMost: .milliseconds(50)))?.isEmpty == false {
                if isReported {
                    let message = (try? socket.receive(limit: 64))?.bytes ?? []
                    action = WorkerEnding(message).map { session.ended($0.end) } ?? session.helperEnded()
                } else {
                    let bytes = (try? report.read(limit: WorkerHelper.piece)) ?? []
                    isReported = bytes.isEmpty
                    action = session.received(bytes)
                }
            } else if cancellation.isCancelled {
                action = session.cancelled()
            } else if ContinuousClock.now >= end {
                action = session.timeIsOver()
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
