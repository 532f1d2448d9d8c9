import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct UnixSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a connected socket carries bytes both ways and names the peer's user`() throws {
        let address = try UnixSocketAddress(path: folder.path + "/socket")
        let listener = try UnixSocket()
        try listener.listen(at: address, backlog: 4)
        let client = try UnixSocket()
        try client.connect(to: address)
        let server = try listener.accept()
        #expect(server.peerUser == CurrentProcess.effectiveUser)
        #expect(try client.send(Array("hello".utf8)[...]) == 5)
        #expect(try server.receive(limit: 64) == Array("hello".utf8))
        #expect(try server.send([1]) == 1)
        #expect(try client.receive(limit: 64) == [1])
        #expect(listener.boundPath == folder.path + "/socket")
    }

    @Test func `the user of a socket without a peer is unknown`() throws {
        #expect(try UnixSocket().peerUser == nil)
    }

    @Test func `a path that is too long for a socket address is used through its directory`() throws {
        let deep = (0..<30).map { _ in "directory" }.joined(separator: "/")
        let directory = try Directory.open(folder.path).createDirectory(deep)
        let listener = try UnixSocket()
        try listener.listen(at: UnixSocketAddress("socket", in: directory), backlog: 4)
        let client = try UnixSocket()
        try client.connect(to: UnixSocketAddress(path: directory.path(of: "socket")))
        #expect(try directory.status(of: "socket")?.permissions == 0o600)
    }

    @Test func `a name that is too long for a socket address is refused`() throws {
        let name = String(repeating: "n", count: 120)
        let error = #expect(throws: StoreError.self) {
            try UnixSocketAddress(name, in: Directory.open(folder.path))
        }
        #expect(error?.errno == .fileNameTooLong)
    }

    @Test func `connecting to a missing socket names the call and the reason`() throws {
        let address = try UnixSocketAddress(path: folder.path + "/none")
        let error = #expect(throws: SystemCallError.self) { try UnixSocket().connect(to: address) }
        #expect(error == SystemCallError(function: "connect", errno: .noSuchFileOrDirectory))
    }

    @Test func `a nonblocking socket reports that nothing has arrived`() throws {
        let address = try UnixSocketAddress(path: folder.path + "/socket")
        let listener = try UnixSocket(isBlocking: false)
        try listener.listen(at: address, backlog: 4)
        let error = #expect(throws: SystemCallError.self) { try listener.accept() }
        #expect(error?.errno == .resourceTemporarilyUnavailable)
    }

    @Test func `a socket file without a listener refuses connections`() throws {
        let file = try Directory.open(folder.path).createFile("plain")
        #expect(UnixSocket(listeningDescriptor: file.descriptor) == nil)
        #expect(UnixSocket(listeningDescriptor: try UnixSocket().descriptor) == nil)
    }
}
