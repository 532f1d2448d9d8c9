import Foundation
import StoreTestSupport

/// Serves a directory to a browser, and `events` as an event stream that the test writes.
final class PageServer: Sendable {
    let url: String
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// Text that is appended to the file `events` is sent to all subscribers; the file `close` ends their connections.
    private static let script = """
        import http.server, os, sys, time
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words): pass
            def end_headers(self):
                self.send_header("Cache-Control", "no-store")
                super().end_headers()
            def do_GET(self):
                if self.path != "/events": return super().do_GET()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                self.wfile.write(b"retry: 20\\n\\n")
                with open("events", "rb") as events:
                    events.seek(0, 2)
                    open("listening", "a").write("x")
                    while not os.path.exists("close"):
                        self.wfile.write(events.read())
                        self.wfile.flush()
                        time.sleep(0.01)
        os.chdir(sys.argv[1])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        open("port", "w").write(str(server.server_port) + " ")
        server.serve_forever()
        """

    init() async throws {
        folder = try TemporaryFolder()
        let path = folder.path
        try Data().write(to: URL(filePath: path + "/events"))
        process = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.script, path], environment: ["PATH": "/usr/bin:/bin"],
            errors: path + "/errors")
        var port: Substring?
        while port == nil, process.isRunning {
            port = (try? String(contentsOfFile: path + "/port", encoding: .utf8))?.split(separator: " ").first
            try await Task.sleep(for: .milliseconds(5))
        }
        url = "http://127.0.0.1:\(port ?? "0")/"
    }

    deinit { process.signal(SIGKILL) }

    func put(_ name: String, _ text: String) throws {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Adds a directory of the machine to the served ones.
    func link(_ name: String, to path: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: path)
    }

    /// The number of subscriptions so far.
    var listeners: Int {
        (FileManager.default.contents(atPath: folder.path + "/listening") ?? Data()).count
    }

    func send(_ event: Data) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder.path + "/events"))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data("data: ".utf8) + event + Data("\n\n".utf8))
    }

    /// Ends all event streams and waits until one is opened again.
    func interrupt() async throws {
        let before = listeners
        try put("close", "")
        while listeners == before { try await Task.sleep(for: .milliseconds(5)) }
        try FileManager.default.removeItem(atPath: folder.path + "/close")
    }
}
