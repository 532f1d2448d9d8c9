import FoundationEssentials
import Glibc
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

    private func connection() throws -> (client: UnixSocket, server: UnixSocket) {
        let address = try UnixSocketAddress(path: folder.path + "/socket")
        let listener = try UnixSocket()
        try listener.listen(at: address, backlog: 4)
        let client = try UnixSocket()
        try client.connect(to: address)
        return (client, try listener.accept())
    }

    @Test func `open files arrive with the first byte, which stays unread`() throws {
        let (client, server) = try connection()
        #expect(try server.peekFiles() == nil)
        for name in ["a", "b"] { try folder.directory.put(name, Data(name.utf8)) }
        let files = try ["a", "b"].map { try OpenFile.open(folder.path + "/" + $0) }
        for name in ["a", "b"] { try folder.directory.remove(name) }
        let sent = Array(repeating: UInt8(7), count: 100_000)
        var count = try client.send(sent[...], with: files)
        for _ in 0..<2 {
            let received = try #require(try server.peekFiles())
            #expect(try received.map { try $0.readAll(limit: 10) } == [Data("a".utf8), Data("b".utf8)])
            for file in received { #expect(fcntl(file.descriptor, F_GETFD) == FD_CLOEXEC) }
        }
        if count < sent.count { count += try client.send(sent[count...]) }
        var read: [UInt8] = []
        while read.count < count { read += try server.receive(limit: count) }
        #expect(read == Array(sent.prefix(count)))
        #expect(try server.peekFiles() == nil)
    }

    @Test func `bytes without files and the end of a connection have no files`() throws {
        let (client, server) = try connection()
        #expect(try client.send([1]) == 1)
        #expect(try server.peekFiles()?.isEmpty == true)
        #expect(try server.receive(limit: 8) == [1])
        close(client.releaseDescriptor())
        #expect(try server.peekFiles()?.isEmpty == true)
    }

    @Test func `no more open files than the limit are sent, and as many arrive`() throws {
        let (client, server) = try connection()
        let file = try folder.directory.createFile("many")
        let many = [OpenFile](repeating: file, count: UnixSocket.fileLimit + 1)
        let error = #expect(throws: SystemCallError.self) { try client.send([1], with: many) }
        #expect(error?.errno == .invalidArgument)
        #expect(try client.send([1], with: Array(many.dropFirst())) == 1)
        #expect(try server.peekFiles()?.count == UnixSocket.fileLimit)
    }

    @Test(.hangGuard) func `a wait ends with the event, at its limit, or when it is ended`() async throws {
        let (client, server) = try connection()
        #expect(await SocketWait().result(of: .bytes, on: server.descriptor, within: .milliseconds(10)) == false)
        let wait = SocketWait()
        async let ended = wait.result(of: .bytes, on: server.descriptor, within: nil)
        wait.end()
        #expect(await ended == false)
        #expect(try client.send([1]) == 1)
        #expect(await SocketWait().result(of: .bytes, on: server.descriptor, within: nil))
        #expect(await SocketWait().result(of: .room, on: client.descriptor, within: nil))
        let task = Task { await SocketWait().result(of: .bytes, on: client.descriptor, within: nil) }
        task.cancel()
        #expect(await task.value == false)
    }
}
