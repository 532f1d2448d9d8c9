import StoreModel
import StoreSystem

/// A listening socket whose connections a ``ConnectionListener`` accepts.
protocol AcceptingSocket: Sendable {
    /// The descriptor of the listening socket.
    var descriptor: Int32 { get }
    /// The address of the listening socket for log messages.
    var name: String { get }

    /// Sets O_NONBLOCK on the listening socket.
    func setNonblocking()
    /// Accepts a connection that waits in the queue of the listening socket.
    func acceptConnection() throws(SystemCallError) -> any ConnectedSocket
    /// Refuses further connections from now on.
    ///
    /// - Returns: whether those in the queue are to be accepted still, because nothing else will accept them.
    func refuseConnections() -> Bool
}

extension ListeningSocket: AcceptingSocket {
    var descriptor: Int32 { unixSocket.descriptor }
    var name: String { path }

    func setNonblocking() { unixSocket.setNonblocking() }

    func acceptConnection() throws(SystemCallError) -> any ConnectedSocket { try unixSocket.accept() }

    func refuseConnections() -> Bool {
        // Those in the queue of systemd's socket are left to the next daemon.
        guard removeFile() else { return false }
        // New connections are refused from here on, and accept(2) fails when the queue is empty.
        unixSocket.stopListening()
        return true
    }
}

extension LoopbackSocket: AcceptingSocket {
    var name: String { "loopback port \(port)" }

    func setNonblocking() {}  // It was created so.

    func acceptConnection() throws(SystemCallError) -> any ConnectedSocket { try accept() }

    func refuseConnections() -> Bool {
        stopListening()
        return false
    }
}
