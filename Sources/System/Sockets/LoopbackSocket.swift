import Glibc
public import StoreModel
import Synchronization

/// A TCP socket of the loopback interface (tcp(7)): one that listens, or a connection that it accepted.
///
/// It is closed when the object is released.
public final class LoopbackSocket: Sendable {
    /// A version of the internet protocol.
    public enum Family: Sendable, CaseIterable {
        /// IPv4, with the loopback address 127.0.0.1.
        case four
        /// IPv6, with the loopback address ::1.
        case six
    }

    /// The socket's file descriptor; -1 after it was released to a caller.
    private let number: Atomic<Int32>
    private let family: Family

    /// The socket's file descriptor; not to be used after ``releaseDescriptor()``.
    public var descriptor: Int32 { number.load(ordering: .relaxed) }

    private init(adopting descriptor: Int32, _ family: Family) {
        number = Atomic(descriptor)
        self.family = family
    }

    /// Listens at a port of the loopback address of one version of the internet protocol.
    ///
    /// - Parameters:
    ///   - port: the port; 0 chooses a free one, which ``port`` states.
    ///   - backlog: the maximum number of connections that wait to be accepted.
    /// - Throws: `EADDRINUSE` if the port is in use, `EAFNOSUPPORT` or `EADDRNOTAVAIL` if the machine does not have this
    ///   version of the internet protocol.
    public convenience init(listeningAt port: UInt16, _ family: Family, backlog: Int32) throws(SystemCallError) {
        let domain = family == .four ? AF_INET : AF_INET6
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        self.init(adopting: try systemCall("socket") { socket(domain, type, 0) }, family)
        // Connections of an earlier process that are in TIME_WAIT do not keep the port from it. A port at which a
        // process listens stays refused (socket(7)).
        try set(SO_REUSEADDR, of: SOL_SOCKET)
        switch family {
        case .four:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try bind(&address)
        case .six:
            try set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6))
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
            try bind(&address)
        }
        try systemCall("listen") { listen(descriptor, backlog) }
    }

    deinit {
        let descriptor = descriptor
        if descriptor >= 0 { close(descriptor) }
    }

    private func set(_ option: Int32, of level: Int32) throws(SystemCallError) {
        var on: Int32 = 1
        try systemCall("setsockopt") {
            setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private func bind<Address>(_ address: inout Address) throws(SystemCallError) {
        let length = socklen_t(MemoryLayout<Address>.size)
        try systemCall("bind") {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, length) }
            }
        }
    }

    public func releaseDescriptor() -> Int32 { number.exchange(-1, ordering: .relaxed) }

    /// The port of this end of the socket.
    public var port: UInt16 { port(getsockname) ?? 0 }

    private typealias Naming = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

    private func port(_ name: Naming) -> UInt16? { address(name).map { UInt16(bigEndian: $0.sin6_port) } }

    /// Whether an end of the connection has exactly the address 127.0.0.1 or ::1.
    private func isOfLoopback(_ name: Naming) -> Bool {
        guard let address = address(name) else { return false }
        return withUnsafeBytes(of: address) { bytes in
            switch family {
            // sin_addr of sockaddr_in, and sin6_addr of sockaddr_in6.
            case .four: bytes[4..<8].elementsEqual([127, 0, 0, 1])
            case .six: bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
            }
        }
    }

    /// Returns the address of an end of the socket; the port is at the same place in those of both versions.
    private func address(_ name: Naming) -> sockaddr_in6? {
        // Long enough for both versions.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) }
        }
        return result == 0 ? address : nil
    }

    /// Accepts a connection on this listening socket (accept(2)).
    public func accept() throws(SystemCallError) -> LoopbackSocket {
        let connection = LoopbackSocket(
            adopting: try systemCall("accept") { Glibc.accept(descriptor, nil, nil) }, family)
        FileDescriptor(rawValue: connection.descriptor).setCloseOnExec()
        return connection
    }

    /// Makes this listening socket refuse further connections; those in its queue are reset.
    public func stopListening() { _ = shutdown(descriptor, Int32(SHUT_RD)) }

    /// The id of the user who owns the other end of this connection, from the kernel's list of TCP sockets (proc(5)).
    ///
    /// `nil` if the other end is closed already, or does not have the same loopback address as this end. All of 127.0.0.0/8 is
    /// of this machine: from another of its addresses, a connection can have the ports of one that another user has open.
    public var peerUser: UInt32? {
        guard isOfLoopback(getsockname), isOfLoopback(getpeername), let own = port(getsockname),
            let other = port(getpeername)
        else { return nil }
        guard let file = fopen(family == .four ? "/proc/self/net/tcp" : "/proc/self/net/tcp6", "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0 {
            guard let line, let entry = LoopbackSocketEntry(String(cString: line)) else { continue }
            if entry.isLoopback, entry.localPort == other, entry.remotePort == own { return entry.user }
        }
        return nil
    }
}
