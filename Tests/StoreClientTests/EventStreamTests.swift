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
        home = try places(in: folder.path)
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
        ErrorReport(code: ErrorCode("events.gone", .notFound), message: "Take a snapshot."), status: 410)

    @Test(arguments: [SocketServer.End.order, .broken])
    func `a broken stream goes on behind the last event`(end: SocketServer.End) async throws {
        let (one, two, three) = (frame(5), frame(6), frame(9))
        let server = try SocketServer(at: home.socket) { request in
            switch request.target {
            case "/v1/events?product=a": .stream([one, ": \n\n", two], then: end)
            // What was seen comes again, as it may after a restart.
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

    @Test func `kinds of events that are not known are passed over`() async throws {
        let unknown = "id: 7\ndata: {\"sequence\":7,\"time\":\"2026-01-01T00:00:00Z\",\"type\":\"skin\"}\n\n"
        let (first, last) = (frame(6), frame(8))
        let server = try SocketServer(at: home.socket) { request in
            request.target == "/v1/events" ? .stream([first, unknown], then: .order) : .stream([last], then: .open)
        }
        defer { server.stop() }
        var seen: [UInt64] = []
        for try await event in try client().events() {
            seen.append(event.sequence)
            if event.sequence == 8 { break }
        }
        #expect(seen == [6, 8])
        // It is not asked for again either.
        #expect(server.requests.last?.target == "/v1/events?after=7")
    }

    @Test func `what the daemon no longer has is told plainly`() async throws {
        let body = json(Self.gone)
        let server = try SocketServer(at: home.socket) { _ in .document(status: 410, body) }
        defer { server.stop() }
        let client = try client()
        let error = await #expect(throws: ErrorReport.self) {
            for try await _ in client.events(after: 1) {}
        }
        #expect(error?.code == .eventsGone)
    }

    @Test func `observations begin with a snapshot and with another where events are gone`() async throws {
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
        var heard: [String] = []
        for try await observation in try client().observations(product: "a", kind: .skin) {
            switch observation {
            case .snapshot(let snapshot): heard.append("snapshot \(snapshot.sequence) \(snapshot.downloads.count)")
            case .event(let event): heard.append("event \(event.sequence)")
            }
            if heard.last == "event 61" { break }
        }
        #expect(heard == ["snapshot 4 1", "event 5", "snapshot 60 0", "event 61"])
    }

    @Test func `whoever stops listening is let go`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .stream([], then: .open) }
        defer { server.stop() }
        let client = try client()
        let listening = Task { for try await _ in client.events() {} }
        while server.requests.isEmpty { await Task.yield() }
        listening.cancel()
        await #expect(throws: CancellationError.self) { try await listening.value }
    }

    @Test func `an installation is followed to its end`() async throws {
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
        // Listened to first, so that nothing is missed.
        #expect(server.calls.first?.target == "/v1/events?product=a")
        #expect(server.requests.first { $0.method == "POST" }?.body.contains("\"productIdentifier\":\"a\"") == true)
    }

    /// A daemon that was killed may come back when the download is over, and tell nothing of it.
    @Test func `an end that was not told is asked for`() async throws {
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
            default: .stream([], then: .order)
            }
        }
        defer { server.stop() }
        let installation = try await client().install("a")
        let error = await #expect(throws: ErrorReport.self) { _ = try await installation.finished() }
        #expect(error?.code == .archiveTraversal)
        #expect(error?.code.exitCode == .refused)
    }

    @Test func `after a long silence a snapshot brings the follower up to date`() async throws {
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

    @Test func `what is installed already has no progress`() async throws {
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
