import FoundationEssentials
import StoreAPI
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreClient

@Suite(.hangGuard) struct EventStreamTests {
    private let folder: TemporaryFolder
    private let home: HomePaths
    private let operation = OperationID(rawValue: "op-1")

    init() throws {
        folder = try TemporaryFolder()
        home = try homePaths(in: folder.path)
    }

    private func frame(_ sequence: UInt64, _ happening: Event.Happening = .catalogue(store: "s")) -> String {
        let event = Event(sequence: sequence, time: Date(timeIntervalSince1970: 0), happening: happening)
        return "id: \(sequence)\ndata: \(json(event))\n\n"
    }

    private func json(_ value: some Encodable) -> String {
        String(decoding: (try? JSON.encode(value)) ?? Data(), as: UTF8.self)
    }

    private func status(_ state: DownloadState, received: Int = 0) -> DownloadStatus {
        DownloadStatus(
            operation: operation, action: .install, productIdentifier: "a", store: "s", state: state,
            activity: state.isEnd ? nil : .transferring, bytesReceived: received, bytesExpected: 10)
    }

    private func client() throws -> StoreClient { StoreClient(home: home, startingDaemon: .never, languages: []) }

    private static let gone = ProblemDocument(
        ErrorReport(code: ErrorCode("events.gone", .notFound), message: "Take a snapshot."), status: 410, title: "Gone")

    @Test(arguments: [SocketServer.End.regular, .broken])
    func `an interrupted stream is resumed after the last event`(end: SocketServer.End) async throws {
        let (one, two, three) = (frame(5), frame(6), frame(9))
        let server = try SocketServer(at: home.socket) { request in
            switch request.target {
            case "/v1/events?product=a": .stream([one, ": \n\n", two], then: end)
            // The last event is repeated, as it may be after a restart.
            case "/v1/events?after=6&product=a": .stream([two, three], then: .open)
            default: .document(status: 500, "")
            }
        }
        defer { server.stop() }
        var seen: [UInt64] = []
        for try await event in try client().events(product: "a") {
            seen.append(event.sequence)
            if event.sequence == 9 { break }
        }
        #expect(seen == [5, 6, 9])
    }

    @Test(arguments: [SocketServer.End.regular, .broken])
    func `a connection on which anything arrived does not count as failed`(end: SocketServer.End) async throws {
        let event = frame(5)
        let connections = Mutex(0)
        let server = try SocketServer(at: home.socket) { _ in
            // More than the attempts to reconnect that may fail one after another.
            let isLast = connections.withLock {
                $0 += 1
                return $0 > 20
            }
            return isLast ? .stream([event], then: .open) : .stream([": \n\n"], then: end)
        }
        defer { server.stop() }
        var seen: [UInt64] = []
        for try await event in try client().events() {
            seen.append(event.sequence)
            break
        }
        #expect(seen == [5])
        #expect(server.calls.count == 21)
    }

    @Test func `a follower of ends asks the daemon for no other events`() async throws {
        var paused = status(.downloading, received: 4)
        paused.activity = .paused
        let end = status(.finished, received: 10)
        let record = json(
            OperationRecord(operation: operation, action: .install, productIdentifier: "a", startedAt: .now))
        let (first, last) = (frame(5, .download(paused)), frame(6, .download(end)))
        let server = try SocketServer(at: home.socket) { request in
            switch request.target {
            case "/v1/events?ends=true": .stream([first], then: .broken)
            case "/v1/events?after=5&ends=true": .stream([last], then: .open)
            // After a reconnection, the follower asks for what it may have missed.
            case "/v1/downloads": .document("{\"downloads\":[]}")
            case "/v1/operations/op-1": .document(record)
            default: .document(status: 500, "")
            }
        }
        defer { server.stop() }
        var follower = try await client().follower(endsOnly: true)
        follower.follow(operation)
        #expect(try await follower.next() == paused)
        #expect(try await follower.next() == end)
        #expect(try await follower.next() == nil)
        let streams = server.requests.map(\.target).filter { $0.hasPrefix("/v1/events") }
        #expect(streams == ["/v1/events?ends=true", "/v1/events?after=5&ends=true"])
    }

    @Test func `events of an unknown type are skipped`() async throws {
        let unknown = "id: 7\ndata: {\"sequence\":7,\"time\":\"2026-01-01T00:00:00Z\",\"type\":\"skin\"}\n\n"
        let (first, last) = (frame(6), frame(8))
        let server = try SocketServer(at: home.socket) { request in
            request.target == "/v1/events" ? .stream([first, unknown], then: .regular) : .stream([last], then: .open)
        }
        defer { server.stop() }
        var seen: [UInt64] = []
        for try await event in try client().events() {
            seen.append(event.sequence)
            if event.sequence == 8 { break }
        }
        #expect(seen == [6, 8])
        // The event is not requested again either.
        #expect(server.requests.last?.target == "/v1/events?after=7")
    }

    @Test func `a cursor that the daemon has no events for is an error`() async throws {
        let body = json(Self.gone)
        let server = try SocketServer(at: home.socket) { _ in .document(status: 410, body) }
        defer { server.stop() }
        let client = try client()
        let error = await #expect(throws: ErrorReport.self) {
            for try await _ in client.events(after: 1) {}
        }
        #expect(error?.code == .eventsGone)
    }

    @Test func `observations begin with a snapshot, and with another one if events are gone`() async throws {
        let (first, second) = (
            json(SnapshotDocument(sequence: 4, downloads: [status(.downloading)], packs: [])),
            json(SnapshotDocument(sequence: 60, downloads: [], packs: []))
        )
        let gone = json(Self.gone)
        let (five, late) = (frame(5), frame(61))
        let snapshots = Mutex([first, second])
        let server = try SocketServer(at: home.socket) { request in
            switch request.target {
            case "/v1/snapshot": .document(snapshots.withLock { $0.removeFirst() })
            case "/v1/events?after=4&product=a&kind=skin": .stream([five], then: .broken)
            case "/v1/events?after=5&product=a&kind=skin": .document(status: 410, gone)
            case "/v1/events?after=60&product=a&kind=skin": .stream([late], then: .open)
            default: .document(status: 500, "")
            }
        }
        defer { server.stop() }
        var received: [String] = []
        for try await observation in try client().observations(product: "a", kind: .skin) {
            switch observation {
            case .snapshot(let snapshot): received.append("snapshot \(snapshot.sequence) \(snapshot.downloads.count)")
            case .event(let event): received.append("event \(event.sequence)")
            }
            if received.last == "event 61" { break }
        }
        #expect(received == ["snapshot 4 1", "event 5", "snapshot 60 0", "event 61"])
    }

    @Test func `a cancelled subscriber stops waiting`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .stream([], then: .open) }
        defer { server.stop() }
        let client = try client()
        let subscriber = Task { for try await _ in client.events() {} }
        while server.requests.isEmpty { await Task.yield() }
        subscriber.cancel()
        await #expect(throws: CancellationError.self) { try await subscriber.value }
    }

    @Test func `the progress of an installation ends with its final status`() async throws {
        let answer = json(Installation(download: status(.initializing), joined: false))
        let frames = [
            frame(1, .download(status(.downloading, received: 4))), frame(2, .catalogue(store: "s")),
            frame(3, .download(status(.finished, received: 10))),
        ]
        let server = try SocketServer(at: home.socket) { request in
            request.method == "POST" ? .document(status: 202, answer) : .stream(frames, then: .open)
        }
        defer { server.stop() }
        let installation = try await client().install("a")
        #expect(installation.installation.operation == operation)
        var states: [DownloadState] = []
        for try await status in installation.progress { states.append(status.state) }
        #expect(states == [.initializing, .downloading, .finished])
        // The events are subscribed to before the request, so that none is missed.
        #expect(server.calls.first?.target == "/v1/events?product=a")
        #expect(server.requests.first { $0.method == "POST" }?.body.contains("\"productIdentifier\":\"a\"") == true)
    }

    /// A killed daemon may restart after the end of the download, and publish no event for it.
    @Test func `the result of an installation whose end was not published is requested`() async throws {
        let answer = json(Installation(download: status(.initializing), joined: false))
        let record = json(
            OperationRecord(
                operation: operation, action: .install, productIdentifier: "a", startedAt: .now, endedAt: .now,
                end: .failed, error: ErrorReport(code: ErrorCode("archive.traversal", .refused), message: "m")))
        let server = try SocketServer(at: home.socket) { request in
            switch (request.method, request.target) {
            case ("POST", _): .document(status: 202, answer)
            case (_, "/v1/downloads"): .document("{\"downloads\":[]}")
            case (_, "/v1/operations/op-1"): .document(record)
            default: .stream([], then: .regular)
            }
        }
        defer { server.stop() }
        let installation = try await client().install("a")
        let error = await #expect(throws: ErrorReport.self) { _ = try await installation.finished() }
        #expect(error?.code == .archiveTraversal)
        #expect(error?.code.exitCode == .refused)
    }

    @Test func `a snapshot updates the progress of an installation after its events expired`() async throws {
        let answer = json(Installation(download: status(.initializing), joined: false))
        let ended = json(DownloadList(downloads: [status(.finished, received: 10)]))
        let snapshot = json(SnapshotDocument(sequence: 50, downloads: [], packs: []))
        let gone = json(Self.gone)
        let first = frame(1, .download(status(.downloading, received: 1)))
        let server = try SocketServer(at: home.socket) { request in
            switch (request.method, request.target) {
            case ("POST", _): .document(status: 202, answer)
            case (_, "/v1/events?product=a"): .stream([first], then: .broken)
            case (_, "/v1/events?after=1&product=a"): .document(status: 410, gone)
            case (_, "/v1/events?after=50&product=a"): .stream([], then: .open)
            case (_, "/v1/snapshot"): .document(snapshot)
            case (_, "/v1/downloads"): .document(ended)
            default: .document(status: 500, "")
            }
        }
        defer { server.stop() }
        var states: [DownloadState] = []
        for try await status in try await client().install("a").progress { states.append(status.state) }
        #expect(states == [.initializing, .downloading, .finished])
    }

    @Test func `a download waits visibly while the daemon is stopped`() async throws {
        let answer = json(Installation(download: status(.initializing), joined: false))
        let running = status(.downloading, received: 5)
        let (first, last) = (frame(1, .download(running)), frame(2, .download(status(.finished, received: 10))))
        let downloads = json(DownloadList(downloads: [running]))
        let record = json(
            OperationRecord(operation: operation, action: .install, productIdentifier: "a", startedAt: .now))
        let server = try SocketServer(at: home.socket) { request in
            switch (request.method, request.target) {
            case ("POST", _): .document(status: 202, answer)
            case (_, "/v1/events?product=a"): .stream([first], then: .regular)
            case (_, "/v1/events?after=1&product=a"): .stream([last], then: .open)
            case (_, "/v1/downloads"): .document(downloads)
            case (_, "/v1/operations/op-1"): .document(record)
            default: .document(status: 500, "")
            }
        }
        defer { server.stop() }
        var seen: [DownloadStatus] = []
        for try await status in try await client().install("a").progress { seen.append(status) }
        #expect(seen.map(\.state) == [.initializing, .downloading, .downloading, .downloading, .finished])
        #expect(seen.map(\.activity) == [.transferring, .transferring, .waiting, .transferring, nil])
        #expect(seen.map(\.reason) == [nil, nil, "the daemon was stopped", nil, nil])
    }

    @Test func `the installation of an installed product has no progress`() async throws {
        let pack = InstalledPack(
            productIdentifier: "a", store: "s", kind: .sticker, name: "A", version: nil, path: "/p", size: 1,
            installedAt: Date(timeIntervalSince1970: 0), held: false, state: [.downloaded])
        let answer = json(Installation(present: pack, operation: nil))
        let server = try SocketServer(at: home.socket) { request in
            request.method == "POST" ? .document(answer) : .stream([], then: .open)
        }
        defer { server.stop() }
        #expect(try await client().install("a").finished() == pack)
    }
}
