import FoundationEssentials
import StoreAPI
public import StoreModel
import StoreSystem

/// The daemon as another program sees it: everything that the store can do, as typed calls.
///
/// Every call talks to the daemon of one home over its socket, and starts the daemon where none runs. Calls may be made
/// from anywhere and at once. What the daemon refuses is thrown as the `ErrorReport` that it sent, with its code; what
/// keeps the client from talking to it as ``StoreClientError``. A call whose task is cancelled throws
/// `CancellationError`; what it had asked for may have been done.
///
/// ```swift
/// let client = try StoreClient(home: .current())
/// let installation = try await client.install("org.example.cups")
/// let pack = try await installation.finished { status in
///     print(status.state.rawValue, status.fraction ?? 0)
/// }
/// print(pack.path)
/// ```
public struct StoreClient: Sendable {
    /// What to do where no daemon runs.
    public enum Starting: Sendable {
        /// Start it: the program at `path`, else `stored` beside the running program, else on `PATH`.
        case ifNeeded(path: String? = nil)
        /// Fail with `daemon.unreachable`.
        case never
    }

    /// Of the interface that this client speaks.
    public static let interfaceVersion = StoreAPI.version

    let connection: DaemonConnection
    private let languages: String?

    /// - Parameters:
    ///   - home: whose daemon.
    ///   - startingDaemon: what to do where none runs.
    ///   - languages: in which names and texts are wanted, the dearest first, as BCP 47 tags (`pt-BR`).
    public init(
        home: HomePaths, startingDaemon: Starting = .ifNeeded(), languages: [String] = StoreClient.languages()
    ) {
        connection = DaemonConnection(
            places: home, starting: startingDaemon, environment: ProcessInfo.processInfo.environment)
        let tags = languages.filter(Self.isLanguageTag)
        self.languages = tags.isEmpty ? nil : tags.joined(separator: ", ")
    }

    /// The languages of the user's environment, by the variables of POSIX and gettext: `LANGUAGE`, `LC_ALL`,
    /// `LC_MESSAGES`, `LANG`.
    ///
    /// - Parameter environment: of this process, unless given.
    public static func languages(environment: [String: String]? = nil) -> [String] {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        var names = [locale]
        // gettext: LANGUAGE counts for nothing in the C locale.
        if !["", "C", "POSIX"].contains(locale.prefix { $0 != "." }), let list = environment["LANGUAGE"] {
            names = list.split(separator: ":").map(String.init) + names
        }
        var tags: [String] = []
        for name in names {
            let tag = String(name.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
            if isLanguageTag(tag), !["C", "POSIX"].contains(tag), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Whether it can stand in a header.
    private static func isLanguageTag(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    // MARK: Asking

    /// Asks for a document.
    func get<Answer: Decodable>(_ resource: Resource, as type: Answer.Type = Answer.self) async throws -> Answer {
        try await ask("GET", resource)
    }

    /// Asks for something to be done, and decodes what the daemon says to it.
    func ask<Answer: Decodable>(
        _ method: String, _ resource: Resource, body: (any Encodable & Sendable)? = nil
    ) async throws -> Answer {
        let answer = try await exchange(method, resource, body: body)
        do {
            return try JSON.decode(from: answer.body)
        } catch {
            throw badDocument(method, resource)
        }
    }

    /// Asks for a document that may be long.
    func list<Answer: JSONReadable>(_ resource: Resource) async throws -> Answer {
        let answer = try await exchange("GET", resource)
        do {
            return try JSON.read(from: answer.body)
        } catch {
            throw badDocument("GET", resource)
        }
    }

    private func badDocument(_ method: String, _ resource: Resource) -> StoreClientError {
        .badAnswer("\(method) \(resource.path)", "it is not the document that belongs there")
    }

    /// Sends a request and takes the whole answer; every status but success is thrown.
    @discardableResult
    func exchange(
        _ method: String, _ resource: Resource, body: (any Encodable & Sendable)? = nil
    ) async throws -> (head: HTTPResponseParser.Head, body: Data) {
        var request = request(method, resource, accepting: "application/json")
        request.body = try body.map { try JSON.encode($0) }
        // A question may be asked twice; an order only where it is sure that the first was never heard.
        return try await connected(method, resource, mayAskTwice: method == "GET") { [request] socket in
            var answer = try await DaemonResponse(
                request, at: socket, within: Self.answerTimeout, silence: Self.answerTimeout)
            let body = try await answer.body(limit: Self.sizeLimit)
            try check(answer.head, body, of: "\(method) \(resource.path)")
            return (answer.head, body)
        }
    }

    /// Opens an answer that has no end, and throws for every status but success.
    func open(_ resource: Resource, mayStart: Bool = true) async throws -> DaemonResponse {
        let request = request("GET", resource, accepting: "text/event-stream")
        return try await connected("GET", resource, mayStart: mayStart, mayAskTwice: true) { socket in
            // The daemon says something every 15 seconds; thrice that without a word, and the connection is dead.
            var answer = try await DaemonResponse(
                request, at: socket, within: Self.answerTimeout, silence: .seconds(45))
            guard !(200..<300).contains(answer.head.status) else {
                try checkVersion(answer.head)
                return answer
            }
            try check(answer.head, try await answer.body(limit: 1 << 20), of: "GET \(resource.path)")
            return answer
        }
    }

    /// Some calls end only when a store on the network has answered, or has been given up.
    private static let answerTimeout: Duration = .seconds(600)
    private static let sizeLimit = 256 << 20

    private func request(_ method: String, _ resource: Resource, accepting type: String) -> DaemonRequest {
        var request = DaemonRequest(method: method, path: resource.path, headers: [("Accept", type)])
        if let languages { request.headers.append(("Accept-Language", languages)) }
        return request
    }

    /// How many daemons are asked: one may end in the moment in which it is asked, and so may the next.
    private static let daemons = 4

    /// Does `body` with the daemon's socket, and again where that daemon has ended since it was last asked.
    private func connected<Answer>(
        _ method: String, _ resource: Resource, mayStart: Bool = true, mayAskTwice: Bool,
        _ body: (DaemonSocket) async throws -> Answer
    ) async throws -> Answer {
        var left = Self.daemons
        while true {
            left -= 1
            let socket = try await connection.socket(mayStart: mayStart)
            do {
                return try await body(socket)
            } catch let error as ConnectionError {
                try Task.checkCancellation()
                switch error.reason {
                case .malformed: throw StoreClientError.badAnswer("\(method) \(resource.path)", error.message)
                case .unheard where left > 0: break
                case .interrupted where left > 0 && mayAskTwice: break
                case .unheard, .interrupted, .silent: throw unreachable(error)
                }
            } catch let error as ErrorReport where error.code.word == "daemon.ending" && left > 0 {
                // It says so before it does anything.
                try Task.checkCancellation()
            }
            await connection.lost(socket)
        }
    }

    private func unreachable(_ error: ConnectionError) -> StoreClientError {
        StoreClientError(
            .daemonUnreachable, "The daemon at '\(connection.places.socket)' did not answer. \(error.message)")
    }

    private func check(_ head: HTTPResponseParser.Head, _ body: Data, of what: String) throws {
        try checkVersion(head)
        if (200..<300).contains(head.status) { return }
        guard let problem = try? JSON.decode(ProblemDocument.self, from: body) else {
            throw StoreClientError.badAnswer(what, "status \(head.status) without a reason")
        }
        throw problem.report
    }

    private func checkVersion(_ head: HTTPResponseParser.Head) throws {
        guard let version = head[StoreAPI.versionHeader], Int(version) != Self.interfaceVersion else {
            return
        }
        throw StoreClientError.version(daemon: version)
    }
}
