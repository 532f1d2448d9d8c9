import FoundationEssentials
import Glibc
import StoreModel
import Synchronization

/// A file that an ``Origin`` serves.
struct OriginFile: Sendable {
    var bytes: [UInt8]
    var etag: String?
    var lastModified: String
    /// The size of a file whose bytes are generated on request.
    var largeSize: Int?

    var size: Int { largeSize ?? bytes.count }

    static func tag(of bytes: [UInt8]) -> String { "\"\(SHA256Digest(of: bytes).hex.prefix(16))\"" }
}

/// The state that the threads of an ``Origin`` and its tests share.
final class OriginShared: Sendable {
    struct State {
        var files: [String: OriginFile] = [:]
        var folder: String?
        var handlers: [String: @Sendable (OriginRequest) -> OriginReply] = [:]
        var faults: [String: [OriginFault]] = [:]
        var turns: [String: [[OriginFault]]] = [:]
        var connectionTurns: [OriginFault] = []
        var requests: [OriginRequest] = []
        /// The number of bytes of content that were sent, by path.
        var sent: [String: Int] = [:]
        var open: Set<Int32> = []
        var accepted = 0
        var mostOpen = 0
        var stalled = 0
        var isReleased = false
        var isStopped = false
        fileprivate var waiting: [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }
    private let state = Mutex(State())
    let threads = OriginThreads()
    let listener: OriginListener
    /// A pipe that becomes readable with the release; stalled threads poll it together with their connection.
    let releaseEvent: (readEnd: Int32, writeEnd: Int32)

    init(_ listener: OriginListener) throws {
        self.listener = listener
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw OriginSocket.Failure(call: "pipe") }
        releaseEvent = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(releaseEvent.readEnd)
        Glibc.close(releaseEvent.writeEnd)
    }

    func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, met) = state.withLock { state in
            let value = body(&state)
            var met: [CheckedContinuation<Void, Never>] = []
            let snapshot = state
            state.waiting.removeAll { waiter in
                guard waiter.isMet(snapshot) else { return false }
                met.append(waiter.continuation)
                return true
            }
            return (value, met)
        }
        for continuation in met { continuation.resume() }
        return value
    }

    /// Waits until the state, as changed by ``change(_:)``, meets a condition.
    func until(_ isMet: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.waiting.append((isMet, continuation)) }
        }
    }

    func opened(_ connection: Int32) -> Bool {
        change { state in
            if state.isStopped { return false }
            state.open.insert(connection)
            state.accepted += 1
            state.mostOpen = max(state.mostOpen, state.open.count)
            return true
        }
    }

    /// Closes a connection while holding the lock.
    ///
    /// Once it is closed, its descriptor may be reused and must not be shut down by ``stop()``.
    func close(_ connection: Int32) {
        change { state in
            state.open.remove(connection)
            // The peer must see the end even if another process has inherited the descriptor.
            shutdown(connection, Int32(SHUT_RDWR))
            Glibc.close(connection)
        }
    }

    /// Ends all connections and accepts no more.
    ///
    /// - Returns: `false` if it was stopped before.
    func stop() -> Bool {
        change { state in
            if state.isStopped { return false }
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            return true
        }
    }

    /// Sets whether stalled responses continue.
    func setReleased(_ isReleased: Bool) {
        change { state in
            guard state.isReleased != isReleased else { return }
            state.isReleased = isReleased
            var byte: UInt8 = 1
            if isReleased { write(releaseEvent.writeEnd, &byte, 1) } else { Glibc.read(releaseEvent.readEnd, &byte, 1) }
        }
    }

    /// Returns the fault of the newest connection that occurs before any request.
    func connected() -> OriginFault? { change { $0.connectionTurns.isEmpty ? nil : $0.connectionTurns.removeFirst() } }

    func sent(_ count: Int, of path: String) {
        if count != 0 { change { $0.sent[path, default: 0] += count } }
    }

    /// Records a request, and returns how to respond to it.
    func received(_ request: OriginRequest) -> (
        faults: [OriginFault], handler: (@Sendable (OriginRequest) -> OriginReply)?
    ) {
        change { state in
            state.requests.append(request)
            var faults = state.faults[request.path] ?? []
            if var turns = state.turns[request.path], !turns.isEmpty {
                faults = turns.removeFirst()
                state.turns[request.path] = turns
            }
            return (faults, state.handlers[request.path])
        }
    }

    func file(_ path: String) -> OriginFile? {
        let (file, folder) = read { ($0.files[path], $0.folder) }
        if let file { return file }
        guard let folder, !path.split(separator: "/").contains(".."), !path.hasSuffix("/"),
            let name = URL(string: path)?.path(percentEncoded: false),
            let data = try? Data(contentsOf: URL(filePath: folder + name))
        else { return nil }
        let bytes = Array(data)
        return OriginFile(bytes: bytes, etag: OriginFile.tag(of: bytes), lastModified: "Mon, 02 Jan 2023 03:04:05 GMT")
    }
}
