import FoundationEssentials
import Glibc
import Hummingbird
import StoreModel
import StoreSystem
import Testing

@testable import StoreServer

@Suite struct ListeningSocketTests {
    let folder = TestFolder()
    var hello: RouteTable {
        var table = RouteTable()
        table.get("/") { _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "hello"))) }
        return table
    }

    @Test func folderAndSocketAreForTheUserAlone() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/run", withIntermediateDirectories: false)
        chmod(folder.path + "/run", 0o755)
        let socket = try ListeningSocket.make(inRunFolder: folder.path + "/run", else: folder.path + "/run" + "-other")
        #expect(socket.path == folder.path + "/run/stored.sock")
        #expect(TestFolder.mode(of: folder.path + "/run") == 0o700)
        #expect(TestFolder.mode(of: socket.path) == 0o600)
        socket.removeFile()
        #expect(!TestFolder.isThere(socket.path))
        close(socket.unixSocket.releaseDescriptor())
    }

    @Test func aSocketLeftBehindIsReplaced() throws {
        let old = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        close(old.unixSocket.releaseDescriptor())
        let new = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        #expect(TestFolder.isThere(new.path))
        close(new.unixSocket.releaseDescriptor())
    }

    @Test func whatIsNoSocketIsLeftAlone() throws {
        try folder.write("stored.sock", "mine")
        let error = #expect(throws: ServerError.self) {
            try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        }
        #expect(error?.code == .socketFailed)
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/stored.sock")) == Data("mine".utf8))
    }

    @Test(arguments: [40, 107, 108, 300, 3000])
    func aPathOfAnyLengthCanBeServed(length: Int) async throws {
        // Until the whole path has so many bytes, or a few more.
        var run = folder.path
        while run.utf8.count + "/stored.sock".utf8.count < length {
            let missing = length - run.utf8.count - "/stored.sock".utf8.count
            run += "/" + String(repeating: "d", count: max(1, min(200, missing - 1)))
        }
        let socket = try ListeningSocket.make(inRunFolder: run, else: run + "-other")
        #expect(socket.path.utf8.count >= length)
        try await withServer(hello, at: socket) { client, _ in
            let answer = try await client.get("/")
            #expect(answer.text == "hello")
        }
    }

    @Test func aConnectionOfAnotherUserIsClosedWithoutAWord() async throws {
        let socket = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        try await withServer(hello, at: socket, user: geteuid() + 1) { client, connections in
            let answer = try await client.send("GET", "/")
            #expect(answer == nil)
            #expect(connections.count == 0)
        }
    }

    @Test func openConnectionsAreCounted() async throws {
        let socket = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        try await withServer(hello, at: socket) { client, connections in
            let connection = try client.open()
            try connection.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await connection.read(until: "hello")
            #expect(connections.count == 1)
        }
    }

    @Test func anEndIsNotHeldUpByAConnectionThatSaysNothing() async throws {
        let socket = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        try await withServer(hello, at: socket) { client, connections in
            let silent = try client.open()
            let kept = try client.open()
            try kept.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await kept.read(until: "hello")
            connections.finish()
            #expect(try await kept.readSome() == [])
            connections.closeAll()
            // Both see the end, and `withServer` returns.
            #expect(try await silent.readSome() == [])
        }
    }

    @Test func whoHasConnectedBeforeTheEndIsToldThatItComesTooLate() async throws {
        let socket = try ListeningSocket.make(inRunFolder: folder.path, else: folder.path + "-other")
        try await withHTTPServer(hello, at: socket) { client, server in
            // Some of them are accepted by now, some still wait.
            let early = try (0..<50).map { _ in try client.open() }
            server.stopListening()
            server.connections.finish()
            for connection in early {
                try connection.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
                let answer = try await connection.read(until: "daemon.ending")
                #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
            }
            server.connections.closeAsked()
            #expect(throws: (any Error).self) { try client.open() }
            #expect(try await eventually { server.connections.count == 0 })
        }
    }
}

@Suite struct SocketActivationTests {
    @Test func nothingIsHandedOverWithoutTheVariables() {
        #expect(SocketActivation(environment: [:], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_FDS": "1"], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "0"], pid: 7) == .none)
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "x"], pid: 7) == .none)
    }

    @Test func variablesMeantForAnotherProcessCountForNothing() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "8", "LISTEN_FDS": "1"], pid: 7) == .none)
    }

    @Test func oneSocketIsTheThirdDescriptor() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1"], pid: 7) == .one(3))
    }

    @Test func moreThanOneIsTooMany() {
        #expect(SocketActivation(environment: ["LISTEN_PID": "7", "LISTEN_FDS": "2"], pid: 7) == .tooMany(2))
    }
}
