import Glibc
import StoreCLinux
public import StoreModel

/// A unix socket whose messages keep their boundaries and can carry open files (`SOCK_SEQPACKET` of unix(7)).
///
/// It is closed when the object is released.
public final class MessageSocket: Sendable {
    public let descriptor: Int32

    /// The most open files that one message carries.
    public static let descriptorLimit = Int(CLINUX_DESCRIPTORS)

    /// Creates a socket from an open descriptor, which the new object closes when it is released.
    public init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether the descriptor is a connected socket of this kind.
    public var isSocket: Bool {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0
            && type == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Creates two sockets that are connected to each other, which programs that are started do not inherit.
    public static func pair() throws(SystemCallError) -> (MessageSocket, MessageSocket) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        return (MessageSocket(adopting: ends[0]), MessageSocket(adopting: ends[1]))
    }

    /// Sends a message of at least one byte with open files, which stay open in this process.
    ///
    /// - Throws: `EPIPE` where the other end is closed; `EMSGSIZE` where the message is too long, or carries more than
    ///   ``descriptorLimit`` files.
    public func send(_ bytes: [UInt8], descriptors: [FileDescriptor] = []) throws(SystemCallError) {
        guard descriptors.count <= Self.descriptorLimit else {
            throw SystemCallError(function: "sendmsg", errno: Errno(rawValue: EMSGSIZE))
        }
        let numbers = descriptors.map(\.rawValue)
        try systemCall("sendmsg") {
            clinux_send_message(descriptor, bytes, bytes.count, numbers, numbers.count)
        }
    }

    /// Waits for a message, and returns it with its open files, which the caller closes.
    ///
    /// - Parameter limit: the maximum length of the message in bytes.
    /// - Returns: no bytes where the other end is closed.
    /// - Throws: `EMSGSIZE` where the message is longer, or carries more than ``descriptorLimit`` files.
    public func receive(limit: Int) throws(SystemCallError) -> (bytes: [UInt8], descriptors: [FileDescriptor]) {
        var bytes = [UInt8](repeating: 0, count: limit)
        var numbers = [Int32](repeating: -1, count: MessageSocket.descriptorLimit)
        var count = 0
        let received = try systemCall("recvmsg") {
            count = numbers.count
            return clinux_receive_message(descriptor, &bytes, limit, &numbers, &count, 0)
        }
        return (Array(bytes.prefix(received)), numbers.prefix(count).map(FileDescriptor.init(rawValue:)))
    }
}
