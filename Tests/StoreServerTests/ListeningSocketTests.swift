import FoundationEssentials
import Glibc
import Hummingbird
import NIOEmbedded
import StoreModel
import StoreOpenAPI
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct ListeningSocketTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var hello: RouteTable {
        var table = RouteTable()
        table.get("/") { _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "hello"))) }
        return table
    }

    @Test func `only the user can access the directory and the socket`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/run", withIntermediateDirectories: false)
        chmod(folder.path + "/run", 0o755)
        let socket = try ListeningSocket.make(in: folder.path + "/run", fallback: folder.path + "/run" + "-other")
        #expect(socket.path == folder.path + "/run/stored.sock")
        #expect(FileStatus.mode(of: folder.path + "/run") == 0o700)
        #expect(FileStatus.mode(of: socket.path) == 0o600)
        socket.removeFile()
        #expect(!FileStatus.exists(socket.path))
        close(socket.unixSocket.releaseDescriptor())
    }

    @Test func `a stale socket is replaced`() throws {
        let old = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        close(old.unixSocket.releaseDescriptor())
        let new = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        #expect(FileStatus.exists(new.path))
        close(new.unixSocket.releaseDescriptor())
    }

    @Test(.hangGuard)
    func `a daemon that hangs with a full queue of connections does not block the start of another`() throws {
        let hung = try UnixSocket()
        let address = try UnixSocketAddress("stored.sock", in: folder.directory)
        try hung.listen(at: address, backlog: 0)
        // Connections until one would wait.
        var waiting: [UnixSocket] = []
        let full = #expect(throws: SystemCallError.self) {
            while waiting.count < 1000 {
                waiting.append(try UnixSocket(isBlocking: false))
                try waiting.last?.connect(to: address)
            }
        }
        #expect(full?.errno == .resourceTemporarilyUnavailable)
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "/other")
        #expect(socket.path == folder.path + "/other/stored.sock")
        #expect(FileStatus.exists(folder.path + "/stored.sock"))
        withExtendedLifetime((hung, waiting)) {}
        close(socket.unixSocket.releaseDescriptor())
    }

    @Test func `a file that is not a socket is not replaced`() throws {
        try folder.directory.put("stored.sock", "mine")
        let error = #expect(throws: StoreError.self) {
            try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        }
        #expect(error?.code == .socketFailed)
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/stored.sock")) == Data("mine".utf8))
    }

    @Test(arguments: [40, 107, 108, 300, 3000])
    func `the path of a socket can have any length`(length: Int) async throws {
        // Nested until the whole path has at least this many bytes.
        var run = folder.path
        while run.utf8.count + "/stored.sock".utf8.count < length {
            let missing = length - run.utf8.count - "/stored.sock".utf8.count
            run += "/" + String(repeating: "d", count: max(1, min(200, missing - 1)))
        }
        let socket = try ListeningSocket.make(in: run, fallback: run + "-other")
        #expect(socket.path.utf8.count >= length)
        try await withServer(hello, at: socket) { client, _ in
            let answer = try await client.get("/")
            #expect(answer.text == "hello")
        }
    }

    @Test func `a connection of another user is closed without a response`() async throws {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(hello, at: socket, user: geteuid() + 1) { client, connections in
            let answer = try await client.send("GET", "/")
            #expect(answer == nil)
            #expect(connections.count == 0)
        }
    }

    @Test func `open connections are counted`() async throws {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(hello, at: socket) { client, connections in
            let connection = try client.open()
            try connection.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await connection.read(until: "hello")
            #expect(connections.count == 1)
        }
    }

    /// A table whose response is the content of the files that came with the request, separated by commas.
    private var echo: RouteTable {
        var table = RouteTable()
        table.get("/") { request in
            let contents = try request.files().map { String(decoding: try $0.readAll(limit: 100), as: UTF8.self) }
            return Response(
                status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: contents.joined(separator: ","))))
        }
        return table
    }

    @Test(.hangGuard) func `files belong to the first request of their connection, however late its first byte comes`()
        async throws
    {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        for name in ["a", "b"] { try folder.directory.put(name, Data(name.utf8)) }
        let files = try ["a", "b"].map { try OpenFile.open(folder.path + "/" + $0) }
        try await withServer(echo, at: socket) { client, connections in
            let connection = try UnixSocket()
            try connection.connect(to: UnixSocketAddress(path: socket.path))
            // The server waits for the first byte, and counts the connection.
            while connections.count == 0 { await Task.yield() }
            let request = Array("GET / HTTP/1.1\r\nHost: test\r\n\r\n".utf8)
            #expect(try connection.send(request[...], with: files) == request.count)
            @Sendable func answer() throws -> String {
                var text = ""
                while !text.contains("\r\n\r\n") || (text.contains("length: 3") && !text.hasSuffix("a,b")) {
                    text += String(decoding: try connection.receive(limit: 1000), as: UTF8.self)
                }
                return text
            }
            #expect(try await BlockingWork(label: "test").run { try answer() }.hasSuffix("a,b"))
            // The files of a later request are not received.
            #expect(try connection.send(request[...], with: files) == request.count)
            #expect(
                try await BlockingWork(label: "test").run { try answer() }.lowercased().contains("content-length: 0"))
            #expect(try await client.get("/").text == "")
        }
    }

    @Test(.hangGuard) func `a request that came with something else than files and directories is refused`()
        async throws
    {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try folder.directory.put("a", Data("a".utf8))
        try await withServer(echo, at: socket) { client, connections in
            let connection = try UnixSocket()
            try connection.connect(to: UnixSocketAddress(path: socket.path))
            let files = [
                try OpenFile.open(folder.path + "/a"),
                OpenFile(descriptor: dup(connection.descriptor), path: "connection"),
            ]
            let request = Array("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8)
            #expect(try connection.send(request[...], with: files) == request.count)
            let answer = try await BlockingWork(label: "test").run { try connection.receive(limit: 10_000) }
            #expect(String(decoding: answer, as: UTF8.self).contains("file.unusable"))
        }
    }

    @Test(.hangGuard) func `files that could not be received are an error of the request that needs them`() async throws
    {
        let connections = OpenConnections()
        let channel = NIOAsyncTestingChannel()
        connections.add(channel, with: .failure(StoreError(.receivingFilesFailed, cause: StoreError(.notRegularFile))))
        let error = #expect(throws: StoreError.self) { try connections.files(of: channel) }
        #expect(error?.template == .receivingFilesFailed)
        connections.recordResponse(on: channel)
        #expect(try connections.files(of: channel).isEmpty)
        _ = try? await channel.finish()
    }

    @Test func `a silent connection does not delay the shutdown`() async throws {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(hello, at: socket) { client, connections in
            let silent = try client.open()
            let kept = try client.open()
            try kept.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await kept.read(until: "hello")
            connections.beginShutdown()
            #expect(try await kept.readSome() == [])
            connections.closeAll()
            // Both connections are closed, and `withServer` returns.
            #expect(try await silent.readSome() == [])
        }
    }

    @Test func `a request during the shutdown is refused with a response`() async throws {
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withHTTPServer(hello, at: socket) { client, server in
            // Some of the connections are accepted by now, others are still in the queue.
            let early = try (0..<50).map { _ in try client.open() }
            server.stopListening()
            server.connections.beginShutdown()
            for connection in early {
                try connection.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
                let answer = try await connection.read(until: "daemon.ending")
                #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
            }
            server.connections.closeUsed()
            #expect(throws: (any Error).self) { try client.open() }
            #expect(try await eventually { server.connections.count == 0 })
        }
    }

    @Test func `the work for a request is released with the response, also on a connection that stays open`()
        async throws
    {
        final class Probe: Sendable {}
        let (probes, made) = AsyncStream<@Sendable () -> Bool>.makeStream()
        var table = RouteTable()
        table.get("/") { request in
            let used = Probe()
            made.yield { [weak used] in used == nil }
            try await request.cancelledOnClose { withExtendedLifetime(used) {} }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "hello")))
        }
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table, at: socket) { client, _ in
            let kept = try client.open()
            try kept.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await kept.read(until: "hello")
            var found = probes.makeAsyncIterator()
            let isReleased = try #require(await found.next())
            #expect(try await eventually { isReleased() })
            withExtendedLifetime(kept) {}
        }
    }

    @Test func `a change in progress is completed and answered during the shutdown, and a reading request is not`()
        async throws
    {
        let (gate, release) = AsyncStream<Void>.makeStream()
        let (requests, request) = AsyncStream<Void>.makeStream()
        var received = requests.makeAsyncIterator()
        var table = RouteTable()
        table.on(.post, "/") { _ in
            request.yield()
            for await _ in gate {}
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "changed")))
        }
        table.get("/") { _ in
            request.yield()
            for await _ in gate {}
            return Response(status: .ok)
        }
        // Such as the computation of a plan, which waits for a slow store.
        table.on(.post, "/plan", Endpoint("plan", "Changes nothing.", .noContent("Done.")).readOnly()) { _ in
            request.yield()
            for await _ in gate {}
            return Response(status: .noContent)
        }
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withHTTPServer(table, at: socket) { client, server in
            let plan = try client.open()
            try plan.write("POST /plan HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n")
            let change = try client.open()
            try change.write("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n")
            let reading = try client.open()
            try reading.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            for _ in 0..<3 { await received.next() }
            server.stopListening()
            server.connections.beginShutdown()
            server.connections.closeUsed()
            server.connections.closeUnused()
            #expect(try await reading.readSome() == [])
            #expect(try await plan.readSome() == [])
            release.finish()
            #expect(try await change.read(until: "changed").hasPrefix("HTTP/1.1 200"))
            // The connection is closed, although the client could send another request on it.
            #expect(try await change.readSome() == [])
        }
    }
}

@Suite struct SocketActivationTests {
    @Test func `no socket is passed without the environment variables`() {
        #expect(SocketActivation(environment: [:], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_FDS": "1"], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "0"], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "x"], pid: 7) == .none)
    }

    @Test func `variables for another process are ignored`() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "8", "LISTEN_FDS": "1"], pid: 7) == .none)
    }

    @Test func `one passed socket has descriptor 3`() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1"], pid: 7) == .one(3))
    }

    @Test func `more than one passed socket is too many`() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "2"], pid: 7) == .tooMany(2))
    }
}
