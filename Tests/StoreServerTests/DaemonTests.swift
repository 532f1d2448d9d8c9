import Foundation
import Glibc
import StoreAPI
import StoreModel
import StoreSettings
import StoreTestSupport
import Testing

@testable import StoreServer

/// Tests of whole daemons; serialized, because a signal reaches every daemon of the process.
@Suite(.serialized) struct DaemonTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var places: HomePaths {
        get throws {
            var places = try HomePaths(
                HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/"),
                home: folder.path + "/home")
            // These tests need no skins.
            places.preinstalled = []
            return places
        }
    }

    /// Runs a daemon on a temporary home while `body` runs.
    private func withDaemon(_ body: (TestClient) async throws -> Void) async throws {
        let daemon = Daemon(paths: try places, environment: [:], overrides: [.logLevel: "error"])
        async let running: Void = daemon.run()
        let client = try await waitForSocket()
        let result = await Result { try await body(client) }
        _ = try? await client.send("POST", "/v1/shutdown")
        try await running
        try result.get()
    }

    private func waitForSocket() async throws -> TestClient {
        let client = TestClient(socket: try places.socket)
        #expect(try await eventually { (try? client.open()) != nil })
        return client
    }

    private func problem(_ answer: TestClient.Answer?) throws -> ProblemDocument {
        let answer = try #require(answer)
        #expect(answer.headers["content-type"] == "application/problem+json")
        let document: ProblemDocument = try answer.json()
        #expect(document.status == answer.status)
        return document
    }

    @Test func `the status identifies the daemon, and a shutdown removes the socket`() async throws {
        try await withDaemon { client in
            let status: StatusDocument = try await client.get("/v1/status").json()
            #expect(status.running)
            #expect(status.pid == getpid())
            #expect(status.home?.data == folder.path + "/home/data")
            #expect(try status.socket == places.socket)
            let interface = try await client.get("/v1/openapi.json").text
            #expect(interface.contains("The unix socket `\(try places.socket)`."))
            #expect(status.activeDownloads == 0)
            #expect(status.sequence ?? 0 > 0)
            #expect(status.warnings == [])
            let error = await #expect(throws: StoreError.self) {
                try await Daemon(paths: try places, environment: [:]).run()
            }
            #expect(error?.code == .homeInUse)
            let again: StatusDocument = try await client.get("/v1/status").json()
            #expect(again.startedAt == status.startedAt, "the one that was refused did not touch the socket")
        }
        #expect(!FileStatus.exists(try places.socket))
        #expect(FileStatus.exists(try places.lock))
    }

    @Test func `metrics count what happens`() async throws {
        try await withDaemon { client in
            let first = try await client.get("/metrics")
            #expect(first.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let before = try MetricsDocument(first.text)
            #expect(before["stored_request_duration_seconds_count"] == nil, "its own is counted when it is answered")
            #expect(before["stored_downloads", "state=Downloading"] == 0)
            #expect(before["stored_downloads_ended_total", "state=Failed"] == 0)
            #expect(try #require(before["stored_connections"]) >= 1)

            #expect(try await client.send("PUT", "/v1/purchases/a", body: "{}")?.status == 200)
            for _ in 1...3 { _ = try await client.get("/v1/packs/none") }
            _ = try await client.get("/v1/nothing/of/the/kind")
            _ = try await client.send("PUT", "/v1/status")
            _ = try await client.send("PURGE", "/v1/status")
            let stream = try client.open()
            try stream.write("GET /v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await stream.read(until: "\r\n\r\n")
            let after = try MetricsDocument(try await client.get("/metrics").text)
            let requests = "stored_request_duration_seconds_count"
            #expect(after[requests, "route=/v1/packs/{id}", "method=GET", "status=404"] == 3)
            #expect(after[requests, "route=none", "method=GET", "status=404"] == 1)
            #expect(after[requests, "route=none", "method=other", "status=405"] == 1)
            #expect(after[requests, "route=none", "method=PUT", "status=405"] == 1)
            #expect(after[requests, "route=/metrics", "method=GET", "status=200"] == 1)
            #expect(after["stored_request_errors_total", "code=pack.not-installed"] == 3)
            #expect(after["stored_request_errors_total", "code=request.path"] == 1)
            #expect(after["stored_request_errors_total", "code=request.method"] == 2)
            #expect(after["stored_event_readers"] == 1)
            #expect(after["stored_event_observers"] == 1)
            #expect(try #require(after["stored_connections"]) >= 2)

            let more = { (name: String) in try #require(after[name]) - #require(before[name]) }
            #expect(try more("stored_database_transactions_total") > 0)
            #expect(try #require(after["stored_database_size_bytes"]) > 0)
            #expect(try more("process_cpu_seconds_total") > 0)
            // Other tests of this process open and close descriptors concurrently.
            #expect(try #require(after["process_open_fds"]) > 3)
            #expect(try #require(after["process_max_fds"]) >= #require(after["process_open_fds"]))
            #expect(try #require(after["process_resident_memory_bytes"]) > 1e6)
            let allocated = try #require(after["stored_allocated_memory_bytes"])
            if Sanitizers.canCheckMemory() { #expect(allocated > 1e5) }
            let started = Date(timeIntervalSince1970: try #require(after["process_start_time_seconds"]))
            #expect(started < Date() && started.timeIntervalSinceNow > -86_400)
            withExtendedLifetime(stream) {}
        }
    }

    @Test func `unknown paths, methods and packs are problems`() async throws {
        try await withDaemon { client in
            let path = try problem(try await client.get("/v1/nothing"))
            #expect((path.status, path.code, path.title) == (404, "request.path", "Not Found"))
            let file = try problem(try await client.get("/v1/skins/none/files/a.png"))
            #expect(file.code == "skin.not-found", "\(file)")
            let method = try await client.send("PUT", "/v1/status")
            #expect(try problem(method).code == "request.method")
            #expect(method?.headers["allow"] == "GET, HEAD")
            let pack = try problem(try await client.get("/v1/packs/none"))
            #expect((pack.status, pack.exitCode) == (404, 3))
            // RFC 9457, 4.2.1: with the type `about:blank` the title is the name of the status.
            #expect(pack.type == "about:blank" && pack.title == "Not Found")
        }
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"productIdentifier":1}"#, "\u{0}"])
    func `an invalid body is refused`(body: String) async throws {
        try await withDaemon { client in
            let document = try problem(try await client.send("POST", "/v1/downloads", body: body))
            #expect((document.status, document.code) == (400, "request.malformed"))
        }
    }

    @Test(arguments: [
        ("", "it is empty"), ("{", "valid JSON"), ("[]", "object"),
        ("{}", "at least 1 of 'paused', 'priority', 'rateLimit'"),
        (#"{"paused":null}"#, "'paused' must be 'true' or 'false', not null"),
        (#"{"paused":"yes"}"#, "'paused' must be 'true' or 'false', not 'yes'"),
        (#"{"priority":"1"}"#, "'priority' must be an integer from -2147483648 to 2147483647, not '1'"),
        (#"{"priority":1.5}"#, "'priority' must be an integer from -2147483648 to 2147483647, not 1.5"),
        (#"{"rateLimit":-1}"#, "'rateLimit' must be an integer of at least 0, not -1"),
        (#"{"pause":true,"priority":1}"#, "'pause' is not a known property; the known ones are 'paused', 'priority'"),
    ])
    func `an invalid change of a download is refused`(body: String, words: String) async throws {
        try await withDaemon { client in
            let document = try problem(try await client.send("PATCH", "/v1/downloads/a", body: body))
            #expect((document.status, document.code) == (400, "request.malformed"))
            #expect(document.detail.contains(words), "\(document.detail)")
        }
    }

    @Test(arguments: [#"{"paused":true}"#, #"{"paused":false,"priority":-3}"#])
    func `a change of an unknown download is not found`(body: String) async throws {
        try await withDaemon { client in
            let document = try problem(try await client.send("PATCH", "/v1/downloads/a", body: body))
            #expect((document.status, document.code, document.exitCode) == (404, "download.unknown", 3))
        }
    }

    @Test func `a body over the size limit is refused`() async throws {
        try await withDaemon { client in
            let body = String(repeating: " ", count: APIRequest.maximumBodySize + 1)
            let document = try problem(try await client.send("POST", "/v1/downloads", body: body))
            #expect((document.status, document.code) == (413, "request.too-large"))
        }
    }

    @Test(arguments: [
        "/v1/packs/%zz", "/v1/packs/%C3%28", "/v1/packs?updatable=perhaps", "/v1/operations?limit=0",
        "/v1/operations?limit=x", "/v1/products?sort=colour", "/v1/events?after=x", "/v1/events?after=-1",
        "/v1/events?ends=x",
    ])
    func `an invalid parameter is refused`(path: String) async throws {
        try await withDaemon { client in
            let document = try problem(try await client.get(path))
            #expect((document.status, document.code) == (400, "request.malformed"))
        }
    }

    @Test func `only the files of a pack are served`() async throws {
        // An unmanaged pack whose name needs escapes.
        try folder.directory.put("home/data/packs/a%2Fb c.stickers/sub/01.webp", "picture")
        try folder.directory.put("home/data/packs/a%2Fb c.stickers/.receipt.json", "{")
        try folder.directory.put("home/data/packs/plain.stickers/a.png", "picture")
        try folder.directory.put("home/data/packs/plain.stickers/.receipt.json", "{}")
        symlink("../../library.sqlite", folder.path + "/home/data/packs/plain.stickers/link")
        try await withDaemon { client in
            let list: PackList = try await client.get("/v1/packs").json()
            let identifier = try #require(list.packs.first { $0.path.hasSuffix("plain.stickers") }).productIdentifier
            let files = "/v1/packs/\(PathSegment.encode(identifier))/files"
            let file = try await client.get("\(files)/a.png")
            #expect(file.text == "picture")
            #expect(file.headers["content-type"] == "image/png")
            #expect(file.headers["x-content-type-options"] == "nosniff")
            #expect(file.headers["content-security-policy"]?.hasSuffix("; sandbox") == true)
            let tag = try #require(file.headers["etag"])
            #expect(try await client.get("\(files)/a.png", headers: ["If-None-Match": tag]).status == 304)
            #expect(try await client.get("\(files)/a.png", headers: ["Range": "bytes=0-2"]).text == "pic")
            for path in [
                ".receipt.json", "%2Ereceipt.json", "link", "../../library.sqlite", "..%2F..%2Flibrary.sqlite", "none",
            ] {
                #expect(try problem(try await client.get("\(files)/\(path)")).status == 404, "\(path)")
            }
        }
    }

    @Test func `an event is sent once and can be replayed`() async throws {
        let archive = folder.path + "/one.zip"
        try Data(Self.zip).write(to: URL(filePath: archive))
        try await withDaemon { client in
            let now: SnapshotDocument = try await client.get("/v1/snapshot").json()
            let reader = try client.open()
            try reader.write("GET /v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
            _ = try await reader.read(until: "\r\n\r\n")
            let body = #"{"productIdentifier":"","file":"\#(archive)"}"#
            let answer = try await client.send("POST", "/v1/downloads", body: body)
            #expect(answer?.status == 202, "\(answer?.text ?? "")")
            let started: Installation = try #require(answer).json()
            let operation = try #require(started.operation)
            let live = try await reader.read(until: "\"Finished\"")
            #expect(live.contains("id: \(now.sequence + 1)\n"))

            // A client that reconnects with its cursor gets the same events.
            let later = try client.open()
            try later.write(
                "GET /v1/events?after=1 HTTP/1.1\r\nHost: test\r\nLast-Event-ID: \(now.sequence)\r\n\r\n")
            let kept = try await later.read(until: "\"Finished\"")
            #expect(kept.contains(operation.rawValue))

            // The first event of a client that reads only ends is the end.
            let ends = try client.open()
            try ends.write("GET /v1/events?ends=true&after=\(now.sequence) HTTP/1.1\r\nHost: test\r\n\r\n")
            let first = try await ends.read(until: "\"Finished\"")
            #expect(!first.contains("\"Initializing\"") && first.contains(operation.rawValue))

            let gone = try problem(try await client.get("/v1/events?after=1"))
            #expect((gone.status, gone.code) == (410, "events.gone"))
            let record: OperationRecord = try await client.get("/v1/operations/\(operation)").json()
            #expect(record.end == .finished)
        }
    }

    @Test func `SIGTERM shuts down with event streams and silent connections open`() async throws {
        let daemon = Daemon(paths: try places, environment: [:], overrides: [.logLevel: "error"])
        async let running: Void = daemon.run()
        let client = try await waitForSocket()
        let silent = try client.open()
        let reader = try client.open()
        try reader.write("GET /v1/events HTTP/1.1\r\nHost: test\r\n\r\n")
        _ = try await reader.read(until: "\r\n\r\n")
        kill(getpid(), SIGTERM)
        try await running
        #expect(try await silent.readSome().isEmpty)
        #expect(!FileStatus.exists(try places.socket))
    }

    @Test(.hangGuard) func `a shutdown lets a change at the web listener end`() async throws {
        let origin = try Origin()
        origin.serve("/catalogue.json", "[]")
        origin.always("/catalogue.json", .stallBeforeAnswer)
        let daemon = Daemon(
            paths: try places, environment: [:], overrides: [.logLevel: "error", .webEnabled: "true", .webPort: "0"])
        async let running: Void = daemon.run()
        let client = try await waitForSocket()
        let result = await Result {
            let web: WebDocument = try await client.get("/v1/web").json()
            let address = try #require(web.address.flatMap { URL(string: $0) })
            let port = try #require(address.port)
            let created = try await client.send(
                "POST", "/v1/web/tokens", body: #"{"name":"test","scopes":["read","settings"]}"#)
            let token: CreatedWebToken = try #require(created).json()
            let change = try TestClient(port: port).open()
            let body = #"{"name":"slow","url":"\#(origin.url)","unsigned":true}"#
            try change.write(
                "POST /v1/stores HTTP/1.1\r\nHost: \(address.host() ?? ""):\(port)\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer \(token.secret)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            await origin.untilStalled()
            let silent = try TestClient(port: port).open()
            #expect(try await client.send("POST", "/v1/shutdown")?.status == 202)
            // A connection without a request is closed three seconds later, or when the daemon ends.
            #expect(try await silent.readSome().isEmpty)
            origin.release()
            #expect(try await change.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 201 "))
        }
        if case .failure = result { _ = try? await client.send("POST", "/v1/shutdown") }
        try await running
        try result.get()
    }

    @Test func `an idle daemon shuts down`() async throws {
        let daemon = Daemon(
            paths: try places, environment: [:], overrides: [.logLevel: "error", .daemonIdleTimeout: "1"])
        async let running: Void = daemon.run()
        let client = try await waitForSocket()
        let connection = try client.open()
        try connection.write("GET /v1/status HTTP/1.1\r\nHost: test\r\n\r\n")
        _ = try await connection.read(until: "apiVersion")
        // Longer than the timeout: an open connection keeps the daemon running.
        try await Task.sleep(for: .milliseconds(1500))
        try connection.write("GET /v1/status HTTP/1.1\r\nHost: test\r\n\r\n")
        _ = try await connection.read(until: "apiVersion")
        connection.hangUp()
        try await running
        #expect(!FileStatus.exists(try places.socket))
    }

    @Test func `a setting can be changed while the daemon runs`() async throws {
        try await withDaemon { client in
            let changed = try await client.send("PUT", "/v1/config/downloads.attempts", body: #"{"value":"7"}"#)
            let setting: SettingDocument = try #require(changed).json()
            #expect((setting.value, setting.needsRestart) == ("7", false))
            let again: SettingDocument = try await client.get("/v1/config/downloads.attempts").json()
            #expect(again.value == "7")
            #expect(try problem(try await client.get("/v1/config/none")).code == "settings.unknown-key")
            let list: SettingList = try await client.get("/v1/config").json()
            #expect(list.settings.count == SettingKey.all.count)
        }
    }

    /// The bytes of an archive with one file, 01.png.
    private static let zip = ZipForge().file("01.png", ImageForge.png()).build()
}
