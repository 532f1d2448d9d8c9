import Glibc
import StoreCLinux

/// A namespace of queries of the kernel's routing table.
public enum NetworkRoutes {
    /// Whether the kernel has a route to addresses outside the machine's own networks.
    ///
    /// Nothing is sent: the kernel looks up the route to addresses for documentation (RFC 5737, RFC 3849).
    public static var leadOut: Bool {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = in_port_t(9).bigEndian
        four.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
        if lead(to: &four) { return true }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = in_port_t(9).bigEndian
        // 2001:db8::1
        withUnsafeMutableBytes(of: &six.sin6_addr) { $0.copyBytes(from: [0x20, 0x01, 0x0D, 0xB8]) }
        withUnsafeMutableBytes(of: &six.sin6_addr) { $0[15] = 1 }
        return lead(to: &six)
    }

    /// Returns whether the kernel has a route to an address.
    ///
    /// Connecting a datagram socket only looks the route up (connect(2), ip(7)).
    private static func lead<Address>(to address: inout Address) -> Bool {
        let family = withUnsafeBytes(of: &address) { $0.load(as: sa_family_t.self) }
        let descriptor = socket(Int32(family), Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Without a free descriptor nothing is known; a transfer then fails for that reason.
        guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE }
        defer { close(descriptor) }
        return withUnsafeBytes(of: &address) { bytes in
            connect(
                descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
    }
}
