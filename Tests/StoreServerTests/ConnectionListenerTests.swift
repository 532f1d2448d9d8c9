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

        init(_ users: [UInt32?]) {
            self.users = Mutex(users)
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
            let next: UInt32?? = users.withLock { $0.isEmpty ? nil : .some($0.removeFirst()) }
            guard let user = next else {
                throw SystemCallError(function: "accept", errno: .resourceTemporarilyUnavailable)
            }
            return Connection(peerUser: user)
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
}
