import Foundation
import StoreTestSupport
import Testing

/// An IRC server on loopback, with which programs chat in tests: it passes on what is said in channels.
final class ChatServer: Sendable {
    let port: String
    private let folder: TemporaryFolder
    private let process: ChildProcess

    private static let script = """
        import os, socketserver, sys
        people = []
        class Person(socketserver.StreamRequestHandler):
            def say(self, line):
                self.wfile.write((line + "\\r\\n").encode())
            def handle(self):
                nick = "*"
                for line in self.rfile:
                    verb, _, rest = line.decode().rstrip().partition(" ")
                    if verb == "NICK":
                        nick = rest.removeprefix(":")
                    elif verb == "USER":
                        people.append(self)
                        self.say(f":chat 001 {nick} :Welcome")
                    elif verb == "PING":
                        self.say(f":chat PONG chat {rest}")
                    elif verb in ("JOIN", "PRIVMSG"):
                        for person in people:
                            if verb == "JOIN" or person is not self:
                                person.say(f":{nick}!{nick}@chat {verb} {rest}")
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Person)
        server.daemon_threads = True
        with open(sys.argv[1] + "/new", "w") as port:
            port.write(str(server.server_address[1]))
        os.rename(sys.argv[1] + "/new", sys.argv[1] + "/port")
        server.serve_forever()
        """

    init() async throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.script, folder.path], environment: ["PATH": "/usr/bin:/bin"])
        try await eventually { try folder.directory.has("port") || !process.isRunning }
        port = try folder.directory.text("port")
        (self.folder, self.process) = (folder, process)
    }

    deinit { process.signal(SIGKILL) }
}
