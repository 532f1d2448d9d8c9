import Dispatch
import StoreModel
import StoreSystem
import Synchronization

/// Writes the bytes of one range to a file, in order and on a queue of its own.
///
/// So the engine's thread does not wait for the disk.
final class RangeWriter: Sendable {
    private struct State {
        /// The number of the range's bytes in memory that wait to be written to the file.
        var pending = 0
        /// The number of bytes of the range that are in the file.
        var written = 0
        var failure: StoreError?
        /// The functions to call once when there is room for more bytes that wait to be written.
        var onRoom: [@Sendable () -> Void] = []
    }
    private let file: OpenFile
    private let start: Int
    private let reporter: ProgressReporter
    private let size: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "transfers.range")

    /// Creates a writer for one range of a file.
    ///
    /// - Parameters:
    ///   - file: the file to write to.
    ///   - start: the offset of the range in the file.
    ///   - reporter: receives how many bytes of the range are in the file.
    ///   - size: the size of the range in bytes.
    init(_ file: OpenFile, _ start: Int, reporter: ProgressReporter, of size: Int) {
        self.file = file
        self.start = start
        self.reporter = reporter
        self.size = size
    }

    func hasRoom(orElse action: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.pending < PartialFile.capacity { return true }
            state.onRoom.append(action)
            return false
        }
    }

    /// Blocks this thread until there is room for more bytes that wait to be written.
    func waitForRoom() {
        if !hasRoom(orElse: {}) { queue.sync {} }
    }

    func write(_ bytes: [UInt8]) {
        state.withLock { $0.pending += bytes.count }
        queue.async { [self] in
            let position = state.withLock { $0.failure == nil ? $0.written : nil }
            var failure: StoreError?
            if let position {
                do throws(StoreError) { try file.write(bytes, at: start + position) } catch { failure = error }
            }
            let onRoom = state.withLock { state -> [@Sendable () -> Void] in
                state.failure = state.failure ?? failure
                if state.failure == nil { state.written += bytes.count }
                state.pending -= bytes.count
                guard state.pending <= PartialFile.capacity / 2 else { return [] }
                defer { state.onRoom = [] }
                return state.onRoom
            }
            report()
            for action in onRoom { action() }
        }
    }

    /// Reports as progress how many bytes of the range are in the file.
    func report() {
        let written = state.withLock { $0.written }
        reporter.report(TransferProgress(received: written, expected: size, resumedFrom: 0))
    }

    /// The error of an earlier write to the file, after which nothing more is written; `nil` where none failed.
    var failure: StoreError? { state.withLock { $0.failure } }

    /// Calls `done` once all bytes of the range are written, with the error of a write that failed, if one did.
    ///
    /// - Parameter reporting: whether to report progress before.
    func finish(reporting: Bool, _ done: @escaping @Sendable (StoreError?) -> Void) {
        queue.async { [self] in
            if reporting { report() }
            done(state.withLock { $0.failure })
        }
    }
}
