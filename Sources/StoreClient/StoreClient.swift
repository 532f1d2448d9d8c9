import FoundationEssentials
import StoreAPI
public import StoreModel
import StoreSystem

/// A client of the daemon `stored`, which installs add-ons from stores, with a typed method for each request.
///
/// ```swift
/// let client = try StoreClient()
/// let pack = try await client.install("org.example.cups").finished { status in
///     print(status.state.rawValue, status.fraction ?? 0)
/// }
/// print("Installed in", pack.path)
/// ```
///
/// Every method sends a request to the daemon of one home (see `HomePaths`) over its socket, and starts the daemon
/// where none runs. Methods may be called from any task and concurrently. An error response of the daemon is thrown as
/// the `ErrorReport` that it contains, with its code; a failure to communicate with the daemon is thrown as
/// `StoreError`. A call whose task is cancelled throws `CancellationError`; the request may have been carried out
/// nevertheless.
public struct StoreClient: Sendable {
    /// What a client of the daemon does where no daemon runs.
    public enum Starting: Sendable {
        /// Start the daemon if none runs: the program at `path`, else `stored` beside the running program or on `PATH`.
        case ifNeeded(path: String? = nil)
        /// Throw an error with the code `daemon.unreachable` if no daemon runs.
        case never
    }

    /// The version number of the daemon's HTTP interface that this client uses.
    public static let interfaceVersion = StoreAPI.version

    let connection: DaemonConnection
    private let languages: String?
    /// The name of the program for itself, if it shows the ends of the operations that it begins.
    private var viewer: String?

    /// Creates a client of the daemon that serves a home, which is a set of directories.
    ///
    /// - Parameters:
    ///   - home: the paths of the home whose daemon is called.
    ///   - startingDaemon: what the client does where no daemon runs.
    ///   - languages: the preferred languages of names and texts, most preferred first, as BCP 47 tags (`pt-BR`).
    public init(
        home: HomePaths, startingDaemon: Starting = .ifNeeded(), languages: [String] = StoreClient.languages()
    ) {
        self.init(
            connection: DaemonConnection(
                places: home, starting: startingDaemon, environment: ProcessInfo.processInfo.environment),
            languages: languages)
    }

    init(connection: DaemonConnection, languages: [String]) {
        self.connection = connection
        let tags = languages.filter(LanguageTags.isTag)
        self.languages = tags.isEmpty ? nil : tags.joined(separator: ", ")
    }

    /// Creates a client of the daemon for the user's own directories, or for one directory that contains everything.
    ///
    /// - Parameters:
    ///   - homeDirectory: the directory, as `--home` specifies it; `nil` for the user's own directories.
    ///   - startingDaemon: what the client does where no daemon runs.
    /// - Throws: `home.unknown` where the environment does not specify the user's directories.
    public init(homeDirectory: String? = nil, startingDaemon: Starting = .ifNeeded()) throws {
        self.init(home: try .current(home: homeDirectory), startingDaemon: startingDaemon)
    }

    /// Returns the same client, for a program that shows a person how the installations and updates end that it begins.
    ///
    /// The desktop shows no notification of those that end while the program waits for them or follows the events, with this
    /// client or a copy of it.
    public func showingEnds() -> StoreClient {
        var client = self
        client.viewer = UUID().uuidString
        return client
    }

    /// Returns the user's preferred languages as BCP 47 tags, from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`.
    ///
    /// They are interpreted as POSIX and gettext define them.
    ///
    /// - Parameter environment: the environment to read, by default that of this process.
    public static func languages(environment: [String: String]? = nil) -> [String] {
        LanguageTags.preferred(in: environment ?? ProcessInfo.processInfo.environment)
    }

    // MARK: Asking

    /// Requests a resource of the daemon with GET, and decodes the JSON response.
    func get<Answer: Decodable>(_ resource: Resource, as type: Answer.Type = Answer.self) async throws -> Answer {
        try await ask("GET", resource)
    }

    /// Sends a request that changes something to the daemon, and decodes the JSON response.
    ///
    /// - Parameter files: the open files that the body names, in the same order.
    func ask<Answer: Decodable>(
        _ method: String, _ resource: Resource, body: (any Encodable & Sendable)? = nil, files: [OpenFile] = []
    ) async throws -> Answer {
        let answer = try await exchange(method, resource, body: body, files: files)
        do {
            return try JSON.decode(from: Data(answer.body))
        } catch {
            throw badDocument(method, resource)
        }
    }

    /// Requests a long resource of the daemon with GET, and decodes the response with ``JSONReader``.
    func list<Answer: JSONReadable>(_ resource: Resource) async throws -> Answer {
        let answer = try await exchange("GET", resource)
        do {
            return try JSON.read(from: answer.body)
        } catch {
            throw badDocument("GET", resource)
        }
    }

    /// Requests a file of the daemon with GET, and returns its content and its media type.
    func content(of resource: Resource) async throws -> (Data, String?) {
        let answer = try await exchange("GET", resource)
        return (Data(answer.body), answer.head["content-type"])
    }

    private func badDocument(_ method: String, _ resource: Resource) -> StoreError {
        StoreError(
            .daemonBadResponse,
            ["request": "\(method) \(resource.path)", "reason": "the body is not the expected document"])
    }

    /// Sends a request to the daemon and returns the whole response.
    ///
    /// - Throws: the error of every response whose status is not success.
    @discardableResult
    func exchange(
        _ method: String, _ resource: Resource, body: (any Encodable & Sendable)? = nil, files: [OpenFile] = [],
        mayStart: Bool = true
    ) async throws -> (head: HTTPResponseParser.Head, body: [UInt8]) {
        var request = try request(method, resource, accepting: "application/json")
        request.body = try body.map { try JSON.encode($0) }
        request.files = files
        // A GET request may be repeated; another request only where it is certain that the daemon did not receive the
        // first.
        return try await connected(method, resource, mayStart: mayStart, mayAskTwice: method == "GET") {
            [request] socket in
            var answer = try await DaemonResponse(
                request, at: socket, within: Self.answerTimeout, silence: Self.answerTimeout)
            let body = try await answer.body(limit: Self.sizeLimit)
            try check(answer.head, body, of: "\(method) \(resource.path)")
            return (answer.head, body)
        }
    }

    /// Sends a GET request to the daemon for a response without end, such as the stream of events.
    ///
    /// - Throws: the error of a response whose status is not success.
    func open(_ resource: Resource, mayStart: Bool = true) async throws -> DaemonResponse {
        let request = try request("GET", resource, accepting: "text/event-stream")
        return try await connected("GET", resource, mayStart: mayStart, mayAskTwice: true) { socket in
            // The daemon sends something at least every 15 seconds; after three times as long without anything the
            // connection is considered lost.
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

    /// The time limit for the daemon's response.
    ///
    /// Some requests end only when a store on the network has responded, or its time limit has passed.
    private static let answerTimeout: Duration = .seconds(600)
    private static let sizeLimit = 256 << 20

    /// Creates a request.
    ///
    /// - Throws: `usage.invalid` if a name or an identifier in the resource's path is empty. The daemon would take the
    ///   path for that of another resource.
    private func request(
        _ method: String, _ resource: Resource, accepting type: String
    ) throws(StoreError) -> DaemonRequest {
        if resource.hasEmptySegment { throw StoreError(.nameArgumentEmpty) }
        var request = DaemonRequest(method: method, path: resource.path, headers: [("Accept", type)])
        if let languages { request.headers.append(("Accept-Language", languages)) }
        if let viewer { request.headers.append((StoreAPI.viewerHeader, viewer)) }
        return request
    }

    /// The maximum number of daemons to which one request is sent.
    ///
    /// Each daemon may exit at the moment at which it receives the request.
    private static let daemons = 4

    /// Runs `body` with the socket of the daemon, and again with a new one where that daemon has exited.
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
                // A daemon that is about to exit responds with this error before it has done anything.
                try Task.checkCancellation()
            }
            await connection.lost(socket)
        }
    }

    private func unreachable(_ error: ConnectionError) -> StoreError {
        StoreError(.daemonNotResponding, ["path": connection.places.socket, "reason": error.message])
    }

    private func check(_ head: HTTPResponseParser.Head, _ body: [UInt8], of what: String) throws {
        try checkVersion(head)
        if (200..<300).contains(head.status) { return }
        guard let problem = try? JSON.decode(ProblemDocument.self, from: Data(body)) else {
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
