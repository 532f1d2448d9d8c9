import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Debian's nginx, which serves one directory on loopback, or passes requests on to a socket.
final class NginxServer: Sendable {
    let url: String
    private let folder: TemporaryFolder
    private let process: ChildProcess
    /// nginx can't choose a port itself, so this one is reserved for it.
    private let held: ClosedPort

    /// Starts a server.
    ///
    /// - Parameter rate: the bytes per second of each connection; `nil` for no limit.
    convenience init(serving root: String, rate: Int? = nil) async throws {
        try await self.init(rules: "root \(root); \(rate.map { "limit_rate \($0);" } ?? "")")
    }

    /// Starts a proxy in front of a unix socket, with the headers that `SECURITY.md` asks for.
    convenience init(proxying socket: String) async throws {
        // Without a path after the socket, escaped slashes stay escaped. Events are passed on at once.
        try await self.init(
            rules: """
                location / {
                  proxy_pass http://unix:\(socket); proxy_set_header Host $http_host;
                  proxy_http_version 1.1; proxy_buffering off;
                }
                """)
    }

    /// Starts a server with these directives of its `server` block.
    private init(rules: String) async throws {
        folder = try TemporaryFolder()
        held = try ClosedPort()
        let port = held.port
        url = "http://127.0.0.1:\(port)/"
        let user = getuid() == 0 ? "user root;" : ""
        let configuration = """
            daemon off; \(user) pid \(folder.path)/pid; error_log \(folder.path)/error.log; worker_processes 1;
            events { worker_connections 512; }
            http {
              access_log off; client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p;
              fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u; scgi_temp_path \(folder.path)/s;
              types { application/json json; application/zip zip; }
              server { listen 127.0.0.1:\(port) reuseport; \(rules) }
            }
            """
        try configuration.write(toFile: folder.path + "/nginx.conf", atomically: true, encoding: .utf8)
        process = try ChildProcess(
            "/usr/sbin/nginx",
            ["-p", folder.path, "-e", folder.path + "/error.log", "-c", folder.path + "/nginx.conf"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin"])
        try await untilItAnswers(port)
    }

    deinit { process.signal(SIGTERM) }

    private func untilItAnswers(_ port: UInt16) async throws {
        while process.isRunning {
            if Self.connects(to: port) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("nginx ended: \((try? String(contentsOfFile: folder.path + "/error.log", encoding: .utf8)) ?? "")")
        throw POSIXError(.ECONNREFUSED)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func connects(to port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
