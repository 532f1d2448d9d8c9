import Glibc
import StoreCLinux
public import StoreModel
import Synchronization

/// A unix stream socket (unix(7)): listening, connected, or neither yet.
///
/// It is closed when the object is released.
public final class UnixSocket: Sendable {
    /// The unix socket's file descriptor; -1 after it was released to a caller.
    private let number: Atomic<Int32>

    /// The unix socket's file descriptor; not to be used after ``releaseDescriptor()``.
    public var descriptor: Int32 { number.load(ordering: .relaxed) }

    /// Creates a unix socket that neither listens nor is connected.
    ///
    /// - Parameter isBlocking: whether calls wait; if `false`, a call that would wait fails with `EAGAIN`.
    public init(isBlocking: Bool = true) throws(SystemCallError) {
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        number = Atomic(try systemCall("socket") { socket(AF_UNIX, Int32(flags), 0) })
    }

    /// Creates a unix socket from an open descriptor, which the new object closes when it is released.
    init(adopting descriptor: Int32) { number = Atomic(descriptor) }

    /// Creates a socket from a listening unix socket that a service manager opened for this process.
    ///
    /// - Returns: `nil` where the descriptor is not a unix socket that listens; the descriptor then stays open.
    public convenience init?(listeningDescriptor descriptor: Int32) {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        guard option(SO_ACCEPTCONN) == 1, option(SO_DOMAIN) == AF_UNIX else { return nil }
        self.init(adopting: descriptor)
        FileDescriptor(rawValue: descriptor).setCloseOnExec()
    }

    deinit {
        let descriptor = descriptor
        if descriptor >= 0 { close(descriptor) }
    }

    /// Hands the unix socket's descriptor over to the caller, who closes it.
    ///
    /// The socket is not to be used any more.
    public func releaseDescriptor() -> Int32 { number.exchange(-1, ordering: .relaxed) }

    // MARK: Client

    /// Connects this unix socket to a listening socket (connect(2)).
    ///
    /// - Throws: `EAGAIN` where the socket does not block and the listener's queue is full.
    public func connect(to address: UnixSocketAddress) throws(SystemCallError) {
        try systemCall("connect") { address.withSystemAddress { Glibc.connect(descriptor, $0, $1) } }
    }

    /// Sends bytes on the connected unix socket without raising SIGPIPE (send(2)).
    ///
    /// - Returns: the number of bytes that were sent.
    public func send(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int {
        try systemCall("send") {
            bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// The maximum number of open files that ``send(_:with:)`` sends, and ``peekFiles()`` receives, at once.
    public static let fileLimit = 32

    /// Sends bytes on the connected unix socket together with open files, without raising SIGPIPE (sendmsg(2)).
    ///
    /// The files arrive with the first byte. They stay open in this process.
    ///
    /// - Parameter files: at most ``fileLimit`` open files.
    /// - Returns: the number of bytes that were sent, at least one.
    /// - Throws: `EINVAL` for more files.
    public func send(_ bytes: ArraySlice<UInt8>, with files: [OpenFile]) throws(SystemCallError) -> Int {
        guard files.count <= Self.fileLimit else {
            throw SystemCallError(function: "sendmsg", errno: .invalidArgument)
        }
        return try systemCall("sendmsg") {
            bytes.withUnsafeBytes {
                clinux_send_message(descriptor, $0.baseAddress, $0.count, files.map(\.descriptor), files.count)
            }
        }
    }

    /// Returns the open files that came with the first unread byte of the connected unix socket, and reads nothing.
    ///
    /// Another process opened them, perhaps not for reading, and they may be anything that can be opened. Does not wait.
    ///
    /// - Returns: `nil` without a byte to read; no files at the end of the connection.
    /// - Throws: `EMSGSIZE` for more files than ``fileLimit``, or than this process may open.
    public func peekFiles() throws(SystemCallError) -> [OpenFile]? {
        var byte: UInt8 = 0
        var numbers = [Int32](repeating: -1, count: Self.fileLimit)
        var count = 0
        do {
            _ = try systemCall("recvmsg") {
                count = numbers.count
                return clinux_receive_message(
                    descriptor, &byte, 1, &numbers, &count, Int32(MSG_PEEK | MSG_DONTWAIT))
            }
        } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw error }
            return nil
        }
        return numbers.prefix(count).map { OpenFile(descriptor: $0, path: "descriptor \($0)") }
    }

    /// Receives bytes on the connected unix socket (recv(2)).
    ///
    /// - Parameter limit: the most bytes to receive.
    /// - Returns: at least one byte, or none at the connection's end.
    public func receive(limit: Int) throws(SystemCallError) -> [UInt8] {
        var failure: SystemCallError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemCallError) {
                count = try systemCall("recv") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The id of the user who was at the other end when the unix socket was connected (SO_PEERCRED).
    ///
    /// The kernel records the id, so it can't be forged. `nil` where the socket is not connected.
    public var peerUser: UInt32? {
        let user = clinux_peer_user(descriptor)
        return user == .max ? nil : user
    }

    // MARK: Server

    /// Creates the unix socket's file and listens there; only this user may connect.
    ///
    /// The permissions are set before the file exists, so there is no moment at which others could connect.
    ///
    /// - Parameter backlog: the maximum number of connections that wait to be accepted.
    public func listen(at address: UnixSocketAddress, backlog: Int32) throws(SystemCallError) {
        // On Linux the file that bind(2) creates takes its mode from the socket.
        try systemCall("fchmod") { fchmod(descriptor, 0o600) }
        try systemCall("bind") { address.withSystemAddress { bind(descriptor, $0, $1) } }
        try systemCall("listen") { Glibc.listen(descriptor, backlog) }
    }

    /// Accepts a connection on this listening unix socket, and returns the connected socket (accept(2)).
    public func accept() throws(SystemCallError) -> UnixSocket {
        let connection = UnixSocket(adopting: try systemCall("accept") { Glibc.accept(descriptor, nil, nil) })
        FileDescriptor(rawValue: connection.descriptor).setCloseOnExec()
        return connection
    }

    /// Sets O_NONBLOCK on the unix socket: calls that would wait fail with `EAGAIN` instead.
    public func setNonblocking() { FileDescriptor(rawValue: descriptor).setNonblocking() }

    /// Makes this listening unix socket refuse further connections.
    ///
    /// Connections that are already in the backlog can still be accepted.
    public func stopListening() { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// The path that the unix socket was bound to; `nil` where it has none or an abstract name.
    public var boundPath: String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
