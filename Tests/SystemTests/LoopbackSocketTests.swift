import FoundationEssentials
import Glibc
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreSystem

struct LoopbackSocketTests {
    /// Connects to a port of the loopback interface; the caller closes the descriptor.
    private func connect(to port: UInt16, _ family: LoopbackSocket.Family) throws -> Int32 {
        let descriptor = socket(family == .four ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        let result: Int32
        switch family {
        case .four:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .six:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
            result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        try #require(result == 0)
        return descriptor
    }

    /// Whether an interface of this machine has the address ::1.
    private static var hasLoopbackOfIPv6: Bool {
        let addresses = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)) ?? ""
        return addresses.split(separator: "\n").contains { $0.hasPrefix("00000000000000000000000000000001 ") }
    }

    @Test(.hangGuard, arguments: LoopbackSocket.Family.allCases)
    func `the user at the other end of a connection is that of its process`(
        family: LoopbackSocket.Family
    ) async throws {
        // IPv4 has a loopback address everywhere.
        if family == .six, !Self.hasLoopbackOfIPv6 { try skip("this machine has no IPv6 loopback address") }
        let listener = try LoopbackSocket(listeningAt: 0, family, backlog: 4)
        #expect(listener.port != 0)
        let client = try connect(to: listener.port, family)
        let connection = try listener.accept()
        #expect(connection.peerUser == geteuid())
        close(client)
        // The kernel states user 0 for the remains of a connection. A process that another test is starting has the
        // client's end open for a moment.
        while connection.peerUser != nil { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a connection from another loopback address has no user, whatever its port`() throws {
        let listener = try LoopbackSocket(listeningAt: 0, .four, backlog: 4)
        let client = try connect(to: listener.port, .four)
        defer { close(client) }
        let connection = try listener.accept()
        #expect(connection.peerUser == geteuid())
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(client, $0, &length) }
        }
        // The same port of 127.0.0.2.
        address.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(other, $0, length) }
        }
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = listener.port.bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(other, $0, length) }
        }
        #expect(named == 0 && bound == 0 && connected == 0)
        #expect(try listener.accept().peerUser == nil)
    }

    @Test func `a port at which a process listens is refused`() throws {
        let listener = try LoopbackSocket(listeningAt: 0, .four, backlog: 4)
        let error = #expect(throws: SystemCallError.self) {
            try LoopbackSocket(listeningAt: listener.port, .four, backlog: 4)
        }
        #expect(error?.errno == .addressInUse)
    }

    @Test func `a line of the kernel's list is read, and other lines are not`() {
        let line =
            "   3: 0100007F:2270 0100007F:C1F8 01 00000000:00000000 00:00000000 00000000  1000        0 49152 1 ffff 20 4"
        let entry = LoopbackSocketEntry(line)
        #expect(entry?.localPort == 0x2270)
        #expect(entry?.remotePort == 0xC1F8)
        #expect(entry?.user == 1000)
        #expect(entry?.isLoopback == true)
        #expect(LoopbackSocketEntry(line.replacing(" 0100007F:C1F8", with: " 0200000A:C1F8"))?.isLoopback == false)
        // Listening, without a process, the heading, and cut.
        #expect(LoopbackSocketEntry(line.replacing(" 01 0", with: " 0A 0")) == nil)
        #expect(LoopbackSocketEntry(line.replacing(" 49152 ", with: " 0 ")) == nil)
        #expect(LoopbackSocketEntry("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when") == nil)
        #expect(LoopbackSocketEntry("   3: 0100007F:2270") == nil)
    }
}
