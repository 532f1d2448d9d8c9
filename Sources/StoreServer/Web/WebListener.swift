import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import StoreModel
import StoreOpenAPI
import StoreSettings
import StoreSystem
import Synchronization

/// The daemon's second listener, for web pages: HTTP on a port of the loopback interface, off until it is switched on.
///
/// It listens at 127.0.0.1 and at ::1, so that no other user can receive the requests of a browser that tries the other
/// address first.
final class WebListener: Sendable {
    /// Responds to a request that the web listener permits.
    typealias Respond = @Sendable (Request, any Channel) async throws -> Response

    /// The listening sockets of one period during which the listener is on.
    private struct Active {
        /// The host and port at which the listener is reached.
        let authority: String
        let port: UInt16
        let sockets: [LoopbackSocket]
        let ended: Promise<Void>
    }

    private struct State {
        var active: Active?
        var allowedOrigins: Set<String> = []
        var isStopped = false
        /// Why the listener is off, or at another port, although the settings say otherwise; `nil` if it is as they say.
        var failure: String?
    }

    let access: WebAccess
    private let data: Directory
    private let connections: OpenConnections
    private let log: Logger
    private let state = Mutex(State())
    /// Held while the listener is switched on or off, so that two requests do not do so at once.
    private let switching = Mutex<Void>(())
    private let starts: AsyncStream<Active>
    private let continuation: AsyncStream<Active>.Continuation

    /// Creates a web listener that is off; ``run(routes:respond:)`` serves its requests.
    ///
    /// - Parameters:
    ///   - data: the data directory of the home, which has the access tokens and the host name.
    ///   - connections: the registry of the daemon's open connections.
    init(data: Directory, connections: OpenConnections, log: Logger) throws {
        access = try WebAccess(data: data) { connections.closeWebStreams() }
        self.data = data
        self.connections = connections
        self.log = log
        (starts, continuation) = AsyncStream.makeStream()
    }

    /// Whether the web listener is on.
    var isOn: Bool { state.withLock { $0.active != nil } }

    /// The address of the pages; `nil` if the listener is off.
    var address: String? { state.withLock { $0.active.map { "http://\($0.authority)/" } } }

    /// Returns a link that logs a browser in once, and opens a page; `nil` if the listener is off.
    func makeLink(to page: String) -> String? {
        address.map { address in
            "\(address.dropLast())\(WebResponder.loginPath)?\(WebResponder.linkParameter)=\(access.makeLink(to: page))"
        }
    }

    /// Starts or stops listening as the settings say, and applies a changed port.
    ///
    /// - Throws: `web.port`; a listener that was on then stays at its port.
    func apply(_ settings: Settings) throws { try switching.withLock { _ in try change(to: settings) } }

    private func change(to settings: Settings) throws {
        let isAllowedLess = state.withLock { state in
            defer { state.allowedOrigins = settings.webAllowedOrigins }
            state.failure = nil
            return !state.allowedOrigins.isSubset(of: settings.webAllowedOrigins)
        }
        if isAllowedLess { connections.closeWebStreams() }
        guard settings.webEnabled else { return stop() }
        do { try start(port: UInt16(settings.webPort)) } catch {
            state.withLock { $0.failure = ErrorReport(error).message }
            throw error
        }
    }

    /// The warning that the listener is not on, or not at the port, as the settings say; `nil` if there is none.
    var warning: String? {
        state.withLock { $0.failure }.map {
            "\($0); choose another port with 'storectl config set web.port', or switch the pages off with 'storectl web --off'"
        }
    }

    /// Starts or stops listening as the settings say; a failure is logged, so that it keeps nothing else from working.
    func applyOrLog(_ settings: Settings) {
        do { try apply(settings) } catch {
            log.error("\((error as? any CodedError)?.message ?? "\(error)")")
        }
    }

    /// Starts to listen; has no effect if the listener is on at this port.
    ///
    /// - Parameter port: the port; 0 chooses a free one.
    /// - Throws: `web.port` if the port is in use or not permitted.
    private func start(port: UInt16) throws {
        let previous = state.withLock { $0.active }
        if let previous, port == previous.port || port == 0 { return }
        // Both before the previous port is given up, because they may fail.
        let name = try WebHost.name(in: data)
        let sockets = try Self.listen(at: port)
        if previous != nil { stop() }
        // Never empty.
        let active = Active(
            authority: "\(name):\(sockets[0].port)", port: sockets[0].port, sockets: sockets,
            ended: Promise())
        state.withLock { $0.active = active }
        continuation.yield(active)
    }

    /// Listens at a port of each loopback address that the machine has.
    private static func listen(at port: UInt16) throws -> [LoopbackSocket] {
        var sockets: [LoopbackSocket] = []
        for family in LoopbackSocket.Family.allCases {
            do {
                sockets.append(try LoopbackSocket(listeningAt: sockets.first?.port ?? port, family, backlog: 128))
            } catch  where error.errno == .addressFamilyNotSupported || error.errno == .addressNotAvailable {
                continue
            } catch {
                throw error.errno == .addressInUse
                    ? StoreError(.webPortInUse, ["port": Int(port)])
                    : StoreError(.webPortUnavailable, ["port": Int(port)], cause: error)
            }
        }
        guard !sockets.isEmpty else { throw StoreError(.webWithoutLoopback) }
        return sockets
    }

    /// Stops listening, ends all sessions, and closes the connections; has no effect if the listener is off.
    func stop() {
        access.endAllSessions()
        let active = state.withLock { state in
            defer { state.active = nil }
            return state.active
        }
        guard let active else { return }
        active.ended.keep(())
    }

    /// Forgets the host name of the home, so that the pages have another one when they are switched on again.
    func forgetHost() throws { try WebHost.forget(in: data) }

    /// Serves the requests of the web listener until the task is cancelled.
    ///
    /// - Parameters:
    ///   - routes: the routes of the daemon.
    ///   - pages: renders the page that a browser without a session sees.
    ///   - respond: responds to a request that is permitted.
    func run(routes: [Route], pages: PageResponder, respond: @escaping Respond) async {
        for await active in starts {
            await withTaskGroup { group in
                for socket in active.sockets {
                    let server = HTTPServer(socket: socket, connections: connections, log: log) {
                        [self] request, channel in
                        let check = WebRequestCheck(
                            authority: active.authority, allowedOrigins: state.withLock { $0.allowedOrigins })
                        return try await WebResponder(
                            check: check, access: access, routes: routes, respond: { try await respond($0, channel) },
                            pages: pages
                        ).response(to: request)
                    }
                    group.addTask { await server.run() }
                }
                group.addTask { [access] in await access.endSessionsOnExpiry() }
                try? await active.ended.value()
                // Closes the sockets and their connections, event streams among them.
                group.cancelAll()
            }
        }
    }
}
