import FoundationEssentials
import Glibc
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// Tests TLS with nginx, because a test server should not implement TLS and HTTP/2.
@Suite(.enabled(if: SecureServer.isPossible, "there is no nginx or openssl (Debian: nginx-light, openssl)"))
struct TLSTests {
    let server: SecureServer
    let engine: TransferEngine
    let origin: Origin

    init() throws {
        server = try SecureServer()
        engine = TransferEngine(configuration: TransferConfiguration(certificates: server.certificate))
        origin = try Origin()
        origin.serve("/plain", "plain")
    }

    @Test func `many documents share one connection with HTTP/2`() async throws {
        let answers = try await withThrowingTaskGroup(of: TransferResponse.self) { group in
            for _ in 0..<30 { group.addTask { try await engine.fetch(TransferRequest(server.url("/ok"))).response } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.headers["x-protocol"] == "HTTP/2.0" })
        #expect(Set(answers.map { $0.headers["x-connection"] }).count == 1)
    }

    @Test func `a server with an invalid certificate is refused`() async throws {
        let strict = TransferEngine()
        let error = await transferError { _ = try await strict.fetch(TransferRequest(server.url("/ok"))) }
        #expect(error?.code == .transferTLS)
        #expect(error?.isTransient == false)
    }

    @Test func `a server without TLS is refused`() async throws {
        let url = try #require(URL(string: "https://127.0.0.1:\(origin.port)/plain"))
        // The server sends this as soon as it is connected, because it never receives a request that it can read.
        origin.scriptConnections(Array(repeating: .raw(Array("HTTP/1.1 400 No\r\n\r\n".utf8)), count: 8))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        #expect(error?.code == .transferTLS)
    }

    @Test func `a redirect up to TLS is followed`() async throws {
        origin.always("/up", .redirect(to: server.url("/ok").absoluteString))
        #expect(try await engine.fetch(TransferRequest(origin.url("/up"))).response.status == 200)
    }

    @Test func `a redirect down from TLS is not followed wherever it started`() async throws {
        let down = server.url("/to?\(origin.url("/plain").absoluteString)")
        origin.always("/up", .redirect(to: down.absoluteString))
        for start in [down, origin.url("/up")] {
            let error = await transferError { _ = try await engine.fetch(TransferRequest(start)) }
            #expect(error?.code == .transferRedirects)
        }
        #expect(origin.requests(to: "/plain").isEmpty)
    }

    @Test func `a redirect within TLS is followed`() async throws {
        let within = server.url("/to?/ok")
        #expect(try await engine.fetch(TransferRequest(within)).response.effectiveURL == server.url("/ok"))
    }
}

/// An nginx server with its own port and certificate.
final class SecureServer: Sendable {
    let certificate: String
    private let port: UInt16
    /// nginx can't choose a port itself, so this one is reserved for it.
    private let held: ClosedPort
    private let folder: String

    static let isPossible = find("nginx") != nil && find("openssl") != nil

    private static func find(_ program: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + program }.first { access($0, X_OK) == 0 }
    }

    init() throws {
        folder = "/tmp/transfers-tls-\(UInt64.random(in: 0 ... .max))"
        certificate = folder + "/certificate.pem"
        try #require(mkdir(folder, 0o700) == 0)
        try SecureServer.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem",
            "-out", certificate)
        held = try ClosedPort()
        port = held.port
        let configuration = """
            pid \(folder)/pid; error_log \(folder)/error.log; worker_processes 1;
            events { worker_connections 64; }
            http {
              access_log off;
              client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
              fastcgi_temp_path \(folder)/fastcgi;
              uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
              server {
                listen 127.0.0.1:\(port) ssl http2 reuseport;
                ssl_certificate \(certificate); ssl_certificate_key \(folder)/key.pem;
                location /ok {
                  add_header X-Protocol $server_protocol; add_header X-Connection $connection;
                  return 200 "ok";
                }
                location /to { return 302 $args; }
              }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        // nginx goes to the background once it listens.
        try SecureServer.run("nginx", "-p", folder, "-e", folder + "/error.log", "-c", folder + "/nginx.conf")
    }

    deinit {
        if let text = try? String(contentsOfFile: folder + "/pid", encoding: .utf8),
            let pid = pid_t(text.filter { !$0.isNewline })
        {
            kill(pid, SIGTERM)
        }
        // nginx removes its own files while it exits, which may interfere with the removal of the directory.
        for _ in 0..<500 {
            try? FileManager.default.removeItem(atPath: folder)
            if access(folder, F_OK) != 0 { break }
            usleep(10_000)
        }
    }

    func url(_ target: String, host: String = "127.0.0.1") -> URL { URL(string: "https://\(host):\(port)\(target)")! }

    /// Runs a program without Foundation's `Process`, which would wait for the server that nginx leaves running.
    private static func run(_ program: String, _ arguments: String...) throws {
        let path = try #require(find(program))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // Descriptors of other tests must not stay open in a server that outlives them.
        for descriptor in try openDescriptors() where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var child = pid_t()
        try #require(posix_spawn(&child, path, &actions, nil, &words, environ) == 0)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        try #require(status == 0, "\(program) failed")
    }
}
