import StoreTestSupport
import Testing

/// Requests to a real daemon as browsers send them through a proxy in front of its socket.
@Suite struct DaemonOriginTests {
    private let home: TestHome
    private var socket: String { home.path + "/run/stored.sock" }

    init() throws { home = try TestHome() }

    /// The changes that the tests ask for, none of which has a body.
    private static let changes = [
        ("POST", "/v1/refresh"), ("PUT", "/v1/purchases/org.example.cups"), ("DELETE", "/v1/config/downloads.attempts"),
        ("POST", "/v1/shutdown"),
    ]

    @Test func `the socket refuses changes that a page of another origin asks for`() async throws {
        try await home.must("daemon", "start")
        for headers in [
            ["Origin: https://other.example"], ["Origin: null"], ["Origin: http://stored:81"],
            ["Origin: http://stored.other.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
            ["Sec-Fetch-Site: cross-site", "Origin: http://stored"],
        ] {
            for (method, path) in Self.changes {
                let answer = try await ask(method, path, headers)
                #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(method) \(path) \(headers): \(answer)")
                #expect(answer.contains(#""code":"request.cross-origin""#), "\(answer)")
            }
        }
        // The daemon has not shut down, and nothing was changed.
        let purchases = try await ask("GET", "/v1/purchases")
        #expect(purchases.hasPrefix("HTTP/1.1 200 ") && purchases.hasSuffix(#"{"purchases":[]}"#), "\(purchases)")
    }

    @Test(arguments: [
        [], ["Origin: http://stored"], ["Origin: https://STORED"], ["Sec-Fetch-Site: same-origin"],
        ["Sec-Fetch-Site: none"], ["Sec-Fetch-Site: same-origin", "Origin: https://shown.example"],
    ])
    func `the socket makes changes that a program or a page of the same origin asks for`(headers: [String])
        async throws
    {
        try await home.must("daemon", "start")
        for (method, path) in Self.changes {
            let answer = try await ask(method, path, headers)
            #expect(answer.hasPrefix("HTTP/1.1 20"), "\(method) \(path): \(answer)")
        }
    }

    @Test func `a page of another origin can't read a response, and no preflight request allows it more`() async throws
    {
        try await home.must("daemon", "start")
        let origin = "Origin: https://other.example"
        let status = try await ask("GET", "/v1/status", [origin])
        #expect(status.hasPrefix("HTTP/1.1 200 "))
        let preflight = try await ask(
            "OPTIONS", "/v1/downloads", [origin, "Access-Control-Request-Method: POST"])
        #expect(preflight.hasPrefix("HTTP/1.1 405 "))
        // A browser hides a response without this header from the page (Fetch Standard, "CORS check").
        for answer in [status, preflight] {
            #expect(!answer.lowercased().contains("access-control-allow"), "\(answer)")
        }
    }

    @Test(arguments: [
        [], ["Content-Type:"], ["Content-Type: text/plain"], ["Content-Type: multipart/form-data; boundary=a"],
    ])
    func `a body that a page can send without a preflight request is refused`(headers: [String]) async throws {
        try await home.must("daemon", "start")
        // Without a header, curl declares the body as a form.
        let body = #"{"productIdentifier":"org.example.cups"}"#
        let answer = try await ask("POST", "/v1/downloads", headers, body: body)
        #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.contains("request.media-type"), "\(answer)")
        let foreign = try await ask("POST", "/v1/downloads", headers + ["Origin: https://other.example"], body: body)
        #expect(foreign.hasPrefix("HTTP/1.1 403 "), "\(foreign)")
    }

    @Test func `a proxy that passes on the headers lets its own pages change something, and no others`() async throws {
        try await home.must("daemon", "start")
        let proxy = try await NginxServer(proxying: socket)
        let origin = String(proxy.url.dropLast())
        for (headers, status) in [
            (["Origin: \(origin)"], 200), (["Origin: https://other.example"], 403), (["Origin: null"], 403),
            (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-origin"], 200), ([], 200),
        ] {
            let answer = try await curl(["-X", "PUT", origin + "/v1/purchases/org.example.cups"], headers)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(headers): \(answer)")
        }
    }

    /// Sends a request to the socket; returns the response with its head.
    private func ask(_ method: String, _ path: String, _ headers: [String] = [], body: String? = nil) async throws
        -> String
    {
        let content = body.map { ["--data-binary", $0] } ?? []
        return try await curl(["--unix-socket", socket, "-X", method, "http://stored" + path] + content, headers)
    }

    private func curl(_ arguments: [String], _ headers: [String]) async throws -> String {
        // No configuration file and no proxy of the machine counts.
        let options = ["-q", "--silent", "--show-error", "--include", "--noproxy", "*"]
        let result = try await Programs.run(
            "/usr/bin/curl", options + headers.flatMap { ["-H", $0] } + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        try #require(result.exit == 0, "curl \(arguments): \(result)")
        return result.output
    }
}
