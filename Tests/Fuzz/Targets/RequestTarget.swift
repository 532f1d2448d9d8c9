import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import StoreEngine
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Synchronization

@testable import StoreServer

extension FuzzTarget {
    /// Checks a request to the daemon: `METHOD TARGET`, header lines, an empty line, the body.
    ///
    /// The daemon is a real one without a socket, with a home that the requests change. It has no network: its proxy
    /// is a port without a listener.
    @Sendable static func request(_ bytes: [UInt8]) throws {
        guard let request = Self.request(of: bytes) else { return }
        let daemon = try TestDaemon.shared.get()
        let answer = try waiting { try await daemon.answer(request) }
        require((200..<600).contains(answer.status), "status \(answer.status)")
        if answer.status >= 400 {
            requireSame(answer.type, "application/problem+json", "the type of status \(answer.status)")
            let problem = try? JSON.decode(Problem.self, from: answer.body)
            require(problem != nil || request.method == .head, "the problem is none")
            if let problem {
                requireSame(problem.status, answer.status, "the problem's status")
                require(problem.code != "internal.unexpected", "\(String(decoding: answer.body, as: UTF8.self))")
            }
        } else if answer.type == "application/json", request.method != .head {
            require((try? JSON.decode(AnyJSON.self, from: answer.body)) != nil, "the answer is no JSON")
        }
    }

    private struct Problem: Decodable { let status: Int, code: String, detail: String }
    private struct AnyJSON: Decodable { init(from decoder: any Decoder) throws {} }

    private static func request(of bytes: [UInt8]) -> Request? {
        var rest = bytes[...]
        func line() -> String {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }
        let words = line().split(separator: " ", maxSplits: 1)
        // The characters that the HTTP parser accepts.
        guard words.count == 2, let method = HTTPRequest.Method(rawValue: String(words[0])),
            words[1].utf8.first == UInt8(ascii: "/"), !words[1].utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f })
        else { return nil }
        var head = HTTPRequest(method: method, scheme: nil, authority: "stored", path: String(words[1]))
        while true {
            let parts = line().split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { break }
            guard let name = HTTPField.Name(String(parts[0])) else { continue }
            head.headerFields.append(HTTPField(name: name, value: String(parts[1])))
        }
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: rest)))
    }
}

/// The routes of a daemon with a temporary home.
final class TestDaemon: Sendable {
    static let shared = Result { try waiting { try await TestDaemon() } }

    struct Answer: Sendable {
        let status: Int
        let type: String?
        let body: Data
    }

    private let respond: @Sendable (Request) async throws -> Response

    private init() async throws {
        // Whatever URL a request names, nothing leaves the machine or reaches a local server. Variables of the environment
        // would apply to other tests of the process, too.
        let offline: [SettingKey: String] = [
            .networkProxy: "http://127.0.0.1:1", .networkNoProxy: "none.invalid", .downloadsAttempts: "1",
            .networkConnectTimeout: "1",
        ]
        let folder = try Workspace.required().folder
        try? folder.makeDirectory("home")
        let places = try HomePaths.alone(in: folder.path + "/home")
        let log = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        let manager = try await StoreManager.open(
            places: places, overrides: offline, log: log)
        let connections = OpenConnections()
        let facts = DaemonContext(
            paths: places, socket: places.socket, startedAt: Date(), manager: manager, connections: connections,
            web: try WebListener(data: Directory.open(places.data), connections: connections, log: log),
            pages: PageResponder())
        let responder = Daemon.routes(facts, shutdown: ShutdownTrigger()).responder()
        let channel = NIOAsyncTestingChannel()
        respond = { request in
            try await responder.respond(
                to: request, context: ServerRequestContext(source: .init(channel: channel, logger: log)))
        }
    }

    func answer(_ request: Request) async throws -> Answer {
        let response = try await respond(request)
        let type = response.headers[.contentType]
        // An event stream has no end.
        guard type != "text/event-stream" else {
            return Answer(status: Int(response.status.code), type: type, body: Data())
        }
        let collected = Collected()
        try await response.body.write(Writer(collected: collected))
        return Answer(status: Int(response.status.code), type: type, body: collected.bytes.withLock { $0 })
    }

    private final class Collected: Sendable {
        let bytes = Mutex(Data())
    }

    private struct Writer: ResponseBodyWriter {
        let collected: Collected

        mutating func write(_ buffer: ByteBuffer) async throws {
            collected.bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
