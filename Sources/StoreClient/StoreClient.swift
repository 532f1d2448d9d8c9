import Files
import FoundationEssentials
import StoreAPI
public import StoreModel
import Transfers

/// The daemon as another program sees it: everything that the store can do, as typed calls.
///
/// Every call talks to the daemon of one home over its socket, and starts the daemon where none runs. Calls may be made
/// from anywhere and at once. What the daemon refuses is thrown as the `ErrorReport` that it sent, with its code; what
/// keeps the client from talking to it as ``StoreClientError``. A call whose task is cancelled throws
/// `CancellationError`; what it had asked for may have been done.
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
    let engine: TransferEngine
    private let languages: String?

    /// - Parameters:
    ///   - home: whose daemon.
    ///   - startingDaemon: what to do where none runs.
    ///   - languages: in which names and texts are wanted, the dearest first, as BCP 47 tags (`pt-BR`).
    /// - Throws: an error with the code `transfer.stopped` where the system has no thread left for the client.
    public init(
        home: Places, startingDaemon: Starting = .ifNeeded(), languages: [String] = StoreClient.languages()
    ) throws {
        connection = DaemonConnection(
            places: home, starting: startingDaemon, environment: ProcessInfo.processInfo.environment)
        // Open event streams must not use up the connections that calls need.
        engine = try TransferEngine(configuration: .init(connectionsPerHost: nil, connections: nil))
        self.languages = languages.isEmpty ? nil : languages.joined(separator: ", ")
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
            let isTag = tag.utf8.allSatisfy {
                Character(UnicodeScalar($0)).isLetter || (48...57).contains($0) || $0 == 45
            }
            if !tag.isEmpty, isTag, !["C", "POSIX"].contains(tag), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
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
            throw StoreClientError.badAnswer("\(method) \(resource.path)", "it is not the document that belongs there")
        }
    }

    /// Sends a request and takes the whole answer; every status but success is thrown.
    @discardableResult
    func exchange(
        _ method: String, _ resource: Resource, body: (any Encodable & Sendable)? = nil
    ) async throws -> (response: TransferResponse, body: Data) {
        let body = try body.map { try JSON.encode($0) }
        // A question may be asked twice; an order only where it is sure that the first was never heard.
        return try await connected(mayAskTwice: method == "GET") { socket in
            var request = try self.request(method, resource, over: socket)
            if let body {
                request.body = body
                request.headers["Content-Type"] = "application/json"
            }
            let answer = try await engine.fetch(request)
            try check(answer.response, answer.body, of: "\(method) \(resource.path)")
            return answer
        }
    }

    /// Opens an answer that has no end, and throws for every status but success.
    func open(_ resource: Resource, mayStart: Bool = true) async throws -> TransferBody {
        try await connected(mayStart: mayStart, mayAskTwice: true) { socket in
            var request = try self.request("GET", resource, over: socket)
            request.headers["Accept"] = "text/event-stream"
            // The daemon says something every 15 seconds; thrice that without a word, and the connection is dead.
            request.timeouts = TransferTimeouts(answer: Self.answerTimeout, stall: StallLimit(in: .seconds(45)))
            let (response, body) = try await engine.stream(request)
            guard !(200..<300).contains(response.status) else {
                try checkVersion(response)
                return body
            }
            var document = Data()
            for try await bytes in body where document.count < 1 << 20 { document.append(contentsOf: bytes) }
            try check(response, document, of: "GET \(resource.path)")
            return body
        }
    }

    /// Some calls end only when a store on the network has answered, or has been given up.
    private static let answerTimeout: Duration = .seconds(600)
    private static let sizeLimit = 256 << 20

    private func request(_ method: String, _ resource: Resource, over socket: DaemonSocket) throws -> TransferRequest {
        guard let url = URL(string: "http://stored" + resource.path) else {
            throw StoreClientError.badAnswer(resource.path, "it is no address")
        }
        var request = TransferRequest(url, method: method, unixSocketPath: socket.path, sizeLimit: Self.sizeLimit)
        request.headers["Accept"] = "application/json"
        if let languages { request.headers["Accept-Language"] = languages }
        request.timeouts = TransferTimeouts(connect: .seconds(5), answer: Self.answerTimeout, stall: nil)
        return request
    }

    /// How many daemons are asked: one may end in the moment in which it is asked, and so may the next.
    private static let daemons = 4

    /// Does `body` with the daemon's socket, and again where that daemon has ended since it was last asked.
    private func connected<Answer>(
        mayStart: Bool = true, mayAskTwice: Bool, _ body: (DaemonSocket) async throws -> Answer
    ) async throws -> Answer {
        var left = Self.daemons
        while true {
            left -= 1
            let socket = try await connection.socket(mayStart: mayStart)
            do {
                return try await body(socket)
            } catch let error as TransferError {
                try Task.checkCancellation()
                let isUnheard = error.code == .transferUnreachable
                guard left > 0, isUnheard || (mayAskTwice && error.code == .transferInterrupted) else {
                    throw unreachable(error)
                }
            } catch let error as ErrorReport where error.code.word == "daemon.ending" && left > 0 {
                // It says so before it does anything.
                try Task.checkCancellation()
            }
            await connection.lost(socket)
        }
    }

    private func unreachable(_ error: TransferError) -> StoreClientError {
        StoreClientError(
            .daemonUnreachable, "The daemon at '\(connection.places.socket)' did not answer. \(error.message)")
    }

    private func check(_ response: TransferResponse, _ body: Data, of what: String) throws {
        try checkVersion(response)
        if (200..<300).contains(response.status) { return }
        guard let problem = try? JSON.decode(ProblemDocument.self, from: body) else {
            throw StoreClientError.badAnswer(what, "status \(response.status) without a reason")
        }
        throw problem.report
    }

    private func checkVersion(_ response: TransferResponse) throws {
        guard let version = response.headers[StoreAPI.versionHeader], Int(version) != Self.interfaceVersion else {
            return
        }
        throw StoreClientError.version(daemon: version)
    }
}
