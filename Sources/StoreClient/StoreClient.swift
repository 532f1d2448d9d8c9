import FoundationEssentials
import StoreAPI
public import StoreModel
import StoreSystem

/// A client of the store's daemon, with a typed call for everything that the store can do.
///
/// ```swift
/// let client = try StoreClient()
/// let pack = try await client.install("org.example.cups").finished { status in
///     print(status.state.rawValue, status.fraction ?? 0)
/// }
/// print("Installed in", pack.path)
/// ```
///
/// Every call talks to the daemon of one home over its socket, and starts the daemon where none runs. Calls may be made
/// from anywhere and at once. What the daemon refuses is thrown as the `ErrorReport` that it sent, with its code; what
/// keeps the client from talking to it as `StoreError`. A call whose task is cancelled throws
/// `CancellationError`; what it had asked for may have been done.
public struct StoreClient: Sendable {
    /// The behavior where no daemon runs.
    public enum Starting: Sendable {
        /// Start the program at `path`, else `stored` beside the running program, else on `PATH`.
        case ifNeeded(path: String? = nil)
        /// Fail with `daemon.unreachable`.
        case never
    }

    /// The version of the daemon's interface that this client uses.
    public static let interfaceVersion = StoreAPI.version

    let connection: DaemonConnection
    private let languages: String?

    /// Creates a client of the daemon of a home.
    ///
    /// - Parameters:
    ///   - home: the paths of the home whose daemon is called.
    ///   - startingDaemon: the behavior where no daemon runs.
    ///   - languages: the preferred languages of names and texts, most preferred first, as BCP 47 tags (`pt-BR`).
    public init(
        home: HomePaths, startingDaemon: Starting = .ifNeeded(), languages: [String] = StoreClient.languages()
    ) {
        connection = DaemonConnection(
            places: home, starting: startingDaemon, environment: ProcessInfo.processInfo.environment)
        let tags = languages.filter(Self.isLanguageTag)
        self.languages = tags.isEmpty ? nil : tags.joined(separator: ", ")
    }

    /// Creates a client of the user's own home, or of the home in a directory.
    ///
    /// - Parameters:
    ///   - homeDirectory: the directory that `--home` names; `nil` for the user's own home, as the environment has it.
    ///   - startingDaemon: the behavior where no daemon runs.
    /// - Throws: `home.unknown` where the environment does not say where the user's directories are.
    public init(homeDirectory: String? = nil, startingDaemon: Starting = .ifNeeded()) throws {
        self.init(home: try .current(home: homeDirectory), startingDaemon: startingDaemon)
    }

    /// Returns the user's languages by the variables of POSIX and gettext: `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`.
    ///
    /// - Parameter environment: the environment to read, by default that of this process.
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

    /// Returns whether a text is a language tag that may be sent in a header field.
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

    /// Requests a document.
    func get<Answer: Decodable>(_ resource: Resource, as type: Answer.Type = Answer.self) async throws -> Answer {
        try await ask("GET", resource)
    }

    /// Sends a request that changes something, and decodes the response.
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

    /// Requests a document that may be long.
    func list<Answer: JSONReadable>(_ resource: Resource) async throws -> Answer {
        let answer = try await exchange("GET", resource)
        do {
            return try JSON.read(from: answer.body)
        } catch {
            throw badDocument("GET", resource)
        }
    }

    private func badDocument(_ method: String, _ resource: Resource) -> StoreError {
        StoreError(
            .daemonBadResponse,
            ["request": "\(method) \(resource.path)", "reason": "the body is not the expected document"])
    }

    /// Sends a request and returns the whole response; throws the error of every response without success.
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

    /// The maximum number of daemons that get one request: each may exit in the moment in which it is asked.
    private static let daemons = 4

    /// Runs `body` with the daemon's socket, again where that daemon has exited since the last call.
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
                case .malformed:
                    throw StoreError(
                        .daemonBadResponse, ["request": "\(method) \(resource.path)", "reason": error.message])
                case .notSent where left > 0: break
                case .interrupted where left > 0 && mayAskTwice: break
                case .notSent, .interrupted, .timedOut: throw unreachable(error)
                }
            } catch let error as ErrorReport where error.code == .shuttingDown && left > 0 {
                // It says so before it does anything.
                try Task.checkCancellation()
            }
            await connection.lost(socket)
        }
    }

    private func unreachable(_ error: ConnectionError) -> StoreError {
        StoreError(.daemonNotResponding, ["path": connection.places.socket, "reason": error.message])
    }

    private func check(_ head: HTTPResponseParser.Head, _ body: Data, of what: String) throws {
        try checkVersion(head)
        if (200..<300).contains(head.status) { return }
        guard let problem = try? JSON.decode(ProblemDocument.self, from: body) else {
            throw StoreError(
                .daemonBadResponse, ["request": what, "reason": "status \(head.status) without an error document"])
        }
        throw problem.report
    }

    private func checkVersion(_ head: HTTPResponseParser.Head) throws {
        guard let version = head[StoreAPI.versionHeader], Int(version) != Self.interfaceVersion else {
            return
        }
        throw StoreError(.daemonIncompatible, ["daemon": version, "client": Self.interfaceVersion])
    }
}
