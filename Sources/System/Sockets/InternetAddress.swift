import Glibc

/// An address of the internet protocol, version 4 or 6, with a port.
public struct InternetAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in network order: 4 bytes of version 4, or 16 of version 6.
    public let bytes: [UInt8]
    /// The port; 0 where it is not known.
    public let port: UInt16

    private init(_ bytes: some Sequence<UInt8>, port: UInt16) {
        self.bytes = Array(bytes)
        self.port = port
    }

    /// Creates an address from a `sockaddr` of the system; `nil` for one of another family, such as a unix socket's.
    ///
    /// - Parameter pointer: a `sockaddr_in` or `sockaddr_in6`, or another `sockaddr` with its family.
    public init?(socketAddress pointer: UnsafeRawPointer) {
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            self.init(withUnsafeBytes(of: address.sin_addr) { Array($0) }, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self)
            self.init(withUnsafeBytes(of: address.sin6_addr) { Array($0) }, port: UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }

    /// Creates an address from its text; `nil` where the text is a name.
    ///
    /// Besides the usual forms, those of inet_aton(3) are accepted, because resolvers accept them (`127.1`, `0x7f000001`).
    ///
    /// - Parameter text: the host of a URL; version 6 with or without brackets.
    public init?(_ text: String, port: UInt16 = 0) {
        var four = in_addr()
        if inet_aton(text, &four) != 0 {
            self.init(withUnsafeBytes(of: four) { Array($0) }, port: port)
            return
        }
        var six = in6_addr()
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        // Without the zone (RFC 6874), which does not change whose address it is.
        guard inet_pton(AF_INET6, String(inner.prefix { $0 != "%" }), &six) == 1 else { return nil }
        self.init(withUnsafeBytes(of: six) { Array($0) }, port: port)
    }

    /// Returns the addresses of a host; none where its name is unknown.
    ///
    /// Blocks while the name is resolved (getaddrinfo(3)).
    public static func resolve(_ host: String, port: UInt16) -> [InternetAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [InternetAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap({ InternetAddress(socketAddress: $0) }) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    /// The address as text, without the port.
    public var description: String {
        guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Sockets of the internet protocol.
public enum InternetSocket {
    /// Opens a socket that child processes don't inherit (socket(2)).
    ///
    /// - Returns: the descriptor, which the caller closes; -1 where the system refuses.
    public static func open(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
        socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
    }
}
