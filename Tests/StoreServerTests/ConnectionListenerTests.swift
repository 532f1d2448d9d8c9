import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite(.hangGuard) struct ConnectionListenerTests {
    /// A connection whose user is given.
    private struct Connection: ConnectedSocket {
        let peerUser: UInt32?
        let descriptor: Int32 = -1
        let carriesFiles = false

        func peekFiles() throws(SystemCallError) -> [OpenFile]? { [] }
        func releaseDescriptor() -> Int32 { -1 }
    }

    /// A listening socket with the connections of given users in its queue.
    private final class Queue: AcceptingSocket {
        let name = "queue"
        let descriptor: Int32
        private let input: Int32
        private let users: Mutex<[UInt32?]>
        /// The user of the connections that follow without end; `nil` if none follow.
        private let flood: UInt32?

        init(_ users: [UInt32?], followedBy flood: UInt32? = nil) {
            self.users = Mutex(users)
            self.flood = flood
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (descriptor, input) = (ends[0], ends[1])
            // The listener waits until there is something to read.
            write(input, "1", 1)
        }

        deinit {
            close(descriptor)
            close(input)
        }

        func setNonblocking() {}

        func acceptConnection() throws(SystemCallError) -> any ConnectedSocket {
            let waiting: Connection? = users.withLock { users in
                if users.isEmpty { return flood.map { Connection(peerUser: $0) } }
                return Connection(peerUser: users.removeFirst())
            }
            guard let waiting else {
                throw SystemCallError(function: "accept", errno: .resourceTemporarilyUnavailable)
            }
            return waiting
        }

        func refuseConnections() -> Bool { false }
    }

    /// A browser closes connections that it has opened in advance and does not need.
    @Test func `a connection that is closed already is not reported as one of another user`() async {
        let refusals = Mutex(0)
        let listener = ConnectionListener(Queue([nil, 8, nil, 7]), user: 7) { refusals.withLock { $0 += 1 } }
        var users: [UInt32?] = []
        for await connection in listener.connections {
            users.append(connection.peerUser)
            // The last one.
            listener.stop()
        }
        #expect(users == [7])
        #expect(refusals.withLock { $0 } == 1)
    }

    @Test func `connections without end of another user do not keep the listener from stopping`() async throws {
        let refusals = Mutex(0)
        let listener = ConnectionListener(Queue([], followedBy: 8), user: 7) { refusals.withLock { $0 += 1 } }
        try await eventually { refusals.withLock { $0 } > 0 }
        listener.stop()
        for await _ in listener.connections {}
    }
}
