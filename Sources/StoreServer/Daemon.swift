import Engine
import Files
import FoundationEssentials
import Hummingbird
public import Logging
public import Settings
public import StoreModel

/// The daemon of one home: takes its lock, opens the engine, and answers at its socket until it is told to end, or
/// nobody has wanted anything for a while.
public struct Daemon: Sendable {
    /// How long answers that are on their way may take once the end has come.
    private static let grace = Duration.milliseconds(300)

    private let places: Places
    private let settings: Settings
    private let environment: [String: String]
    private let log: Logger

    /// - Parameters:
    ///   - environment: of the process: says whether systemd hands over the socket.
    public init(places: Places, settings: Settings, environment: [String: String], log: Logger) {
        self.places = places
        self.settings = settings
        self.environment = environment
        self.log = log
    }

    /// Returns after an end in order: by SIGTERM or SIGINT, which it takes over, by `POST /v1/shutdown`, or for
    /// idleness (``Settings/daemonIdleTimeout``). What runs then goes on with the next start. Takes less than a second,
    /// whoever is connected.
    ///
    /// - Throws: `daemon.running` where another daemon has this home, `home.foreign`, `home.unwritable`,
    ///   `socket.failed`, and what keeps the engine from opening.
    public func run() async throws {
        let stop = StopSignal()
        let traps = stop.trapSignals()
        defer { for trap in traps { trap.cancel() } }

        // The lock comes before everything that touches the home, the old socket file included.
        let work = BlockingWork(label: "store-server.home")
        let lock = try await work.run { [places] in try HomeLock.acquire(dataFolder: places.data) }
        defer { lock.release() }
        let manager = try await StoreManager.open(places: places, settings: settings, log: log)
        do {
            let socket = try await work.run { [places, environment] in
                try ListeningSocket.inherited(environment: environment, defaultPath: places.socket)
                    ?? ListeningSocket.make(inRunFolder: places.run)
            }
            defer { socket.removeFile() }
            try lock.announce(socket: socket.path)
            try await serve(manager, at: socket, until: stop)
        } catch {
            await manager.close()
            throw error
        }
    }

    private func serve(_ manager: StoreManager, at socket: ListeningSocket, until stop: StopSignal) async throws {
        let connections = OpenConnections()
        let facts = DaemonFacts(places: places, startedAt: Date(), manager: manager, connections: connections)
        let responder = Self.responder(facts, stop: stop)
        let server = HTTPServer(socket: socket, connections: connections, log: log) { [log] request, channel in
            let context = CallContext(source: .init(channel: channel, logger: log))
            return try await responder.respond(to: request, context: context)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { [log, settings] in
                // Ends with this task.
                async let _ = Self.stopWhenIdle(stop, facts, after: settings.daemonIdleTimeout)
                if let reason = await stop.wait() {
                    log.info("Ending.", metadata: ["reason": "\(reason.rawValue)"])
                }
                connections.finish()
                try? await Task.sleep(for: Self.grace)
                connections.closeAll()
            }
            // Whichever comes first: all connections have ended by themselves, or their time is over.
            try await group.next()
            group.cancelAll()
            await manager.close()
        }
        log.info("Ended.")
    }

    static func responder(_ facts: DaemonFacts, stop: StopSignal) -> some HTTPResponder<CallContext> {
        let manager = facts.manager
        var table = RouteTable()
        table.addDaemon(facts, stop: stop)
        table.addStores(manager)
        table.addProducts(manager)
        table.addDownloads(manager)
        table.addOperations(manager)
        table.addPacks(manager)
        table.addUpdates(manager)
        table.addPurchases(manager)
        table.addStickers(manager)
        table.addSettings(manager)
        table.addEvents(manager, connections: facts.connections)
        return table.responder()
    }

    private static func stopWhenIdle(_ stop: StopSignal, _ facts: DaemonFacts, after timeout: Duration?) async {
        guard let timeout else { return }
        let clock = ContinuousClock()
        var rule = IdleRule(timeout: timeout, now: clock.now)
        while true {
            var isBusy = facts.connections.count > 0
            if !isBusy { isBusy = await facts.activeDownloads() > 0 }
            switch rule.look(isBusy: isBusy, lastChange: facts.connections.lastChange, now: clock.now) {
            case .end: return stop.request(.idle)
            case .wait(let until):
                do { try await clock.sleep(until: until) } catch { return }
            }
        }
    }
}
