import FoundationEssentials
import Hummingbird
import Logging
import StoreAPI
import StoreDownloads
import StoreEngine
public import StoreModel
public import StoreScenarios
public import StoreSettings
import StoreSystem

/// The daemon of one home: takes its lock, opens the engine, and answers at its socket until it is told to end, or
/// nobody has wanted anything for a while.
public struct Daemon: Sendable {
    /// How long answers that are on their way may take once the end has come.
    private static let grace = Duration.milliseconds(300)
    /// How long who has connected in the moment of the end may take to ask, and be told that it comes too late.
    private static let patience = Duration.seconds(3)

    /// Tells a client of another release at once that the two can't talk. The name is a token, as HTTP asks for.
    private static let interfaceVersion: HTTPFields = [
        .init(StoreAPI.versionHeader)!: String(StoreAPI.version)
    ]

    private let places: HomePaths
    private let environment: [String: String]
    private let overrides: [SettingKey: String]
    private let scenario: Scenario?
    private let listening: @Sendable () -> Void

    /// - Parameters:
    ///   - environment: of the process: has settings, and says whether systemd hands over the socket.
    ///   - overrides: settings that arguments of the program give.
    ///   - scenario: what takes the place of network and clock. Its home must be empty.
    ///   - listening: called when clients can connect; again after each restart that the story tells of.
    public init(
        places: HomePaths, environment: [String: String], overrides: [SettingKey: String] = [:],
        scenario: Scenario? = nil, listening: @escaping @Sendable () -> Void = {}
    ) {
        self.places = places
        self.environment = environment
        self.overrides = overrides
        self.scenario = scenario
        self.listening = listening
    }

    /// Returns after an end in order: by SIGTERM or SIGINT, which it takes over, by `POST /v1/shutdown`, or for
    /// idleness (``Settings/daemonIdleTimeout``). What runs then goes on with the next start. Takes less than a second,
    /// whoever is connected, and three where somebody has connected and asks nothing. Logs to standard error.
    ///
    /// - Throws: `daemon.running` where another daemon has this home, `home.foreign`, `home.unwritable`,
    ///   `socket.failed`, `settings.invalid`, and what keeps the engine from opening.
    public func run() async throws {
        let stop = ShutdownTrigger()
        try await TerminationSignals.trapped(by: stop) { try await run(until: stop) }
    }

    private func run(until stop: ShutdownTrigger) async throws {
        // Many downloads and many readers at once each have a file or a socket.
        OpenFileLimit.raise()
        HeapLimit.set()
        let settings = try await Settings.load(places: places, environment: environment, overrides: overrides)
        let level = SharedLogLevel(settings)
        let log = Logger(label: "stored") { _ in LineLogHandler(level: level) }

        // The lock comes before everything that touches the home, the old socket file included.
        let work = BlockingWork(label: "store-server.home")
        let lock = try await work.run { [places] in
            try PrivateDirectory.check(places)
            return try HomeLock.acquire(dataFolder: places.data)
        }
        defer { lock.release() }
        while try await serve(until: stop, holding: lock, settings, level, log) == .restart {}
        log.info("Ended.")
    }

    /// Opens the engine, and answers until the end comes.
    ///
    /// - Returns: why it came; `nil` where nobody could connect any more.
    private func serve(
        until stop: ShutdownTrigger, holding lock: HomeLock, _ settings: Settings, _ level: SharedLogLevel,
        _ log: Logger
    ) async throws -> ShutdownTrigger.Reason? {
        let work = BlockingWork(label: "store-server.socket")
        let stage = try await scenario?.prepare()
        let manager = try await StoreManager.open(
            places: places, environment: environment, overrides: overrides, clock: scenario?.clock.time ?? .system,
            transfers: stage?.transfers, network: stage?.network ?? .system, log: log)
        do {
            try await scenario?.play(manager)
            let socket = try await work.run { [places, environment] in
                try ListeningSocket.inherited(environment: environment, defaultPath: places.socket)
                    ?? ListeningSocket.make(inRunFolder: places.run, else: places.data + "/run")
            }
            defer { socket.removeFile() }
            try lock.announce(socket: socket.path)
            listening()
            let connections = OpenConnections()
            let facts = DaemonContext(
                places: places, startedAt: scenario?.clock.date ?? Date(), manager: manager, connections: connections)
            let updates = UpdateCheckTimer {
                await manager.updates.timeToNextCheck(every: $0)
            } look: {
                await manager.updates.check()
            }
            // A story has a clock of its own, by which it looks.
            if scenario == nil { updates.set(settings.updatesCheckEvery) }
            defer { updates.stop() }
            let routes = Self.routes(facts, stop: stop, scenario: scenario) { [scenario] settings in
                level.take(settings)
                if scenario == nil { updates.set(settings.updatesCheckEvery) }
            }
            let responder = routes.responder()
            let server = HTTPServer(socket: socket, connections: connections, log: log) { request, channel in
                guard connections.hear(channel) else { return Self.tooLate }
                let context = ServerRequestContext(source: .init(channel: channel, logger: log))
                return try await responder.respond(to: request, context: context)
            }
            return try await serve(server, facts, until: stop, log)
        } catch {
            await manager.close()
            throw error
        }
    }

    /// Tells the client that nothing was done, so that it may ask the next daemon.
    static var tooLate: Response {
        .problem(
            ErrorReport(DownloadError(.shuttingDown, "The daemon is ending. Try again.")),
            headers: [.connection: "close"])
    }

    private func serve(
        _ server: HTTPServer, _ facts: DaemonContext, until stop: ShutdownTrigger, _ log: Logger
    ) async throws -> ShutdownTrigger.Reason? {
        try await withThrowingTaskGroup(of: ShutdownTrigger.Reason?.self) { group in
            group.addTask {
                await server.run()
                return nil
            }
            if let scenario, scenario.clockMode == .real {
                group.addTask {
                    if try await scenario.run() { stop.request(.restart) }
                    // What comes of that ends this task, and not the other way round.
                    try? await Task.sleep(for: Self.patience * 2)
                    return nil
                }
            }
            group.addTask {
                // Ends with this task.
                async let _ = stopWhenIdle(stop, facts)
                guard let reason = await stop.wait() else { return nil }
                log.info("Ending.", metadata: ["reason": "\(reason.rawValue)"])
                server.stopListening()
                server.connections.finish()
                try? await Task.sleep(for: Self.grace)
                server.connections.closeAsked()
                try? await Task.sleep(for: Self.patience - Self.grace)
                server.connections.closeAll()
                return reason
            }
            // Whichever comes first: all connections have ended by themselves, or their time is over.
            var reason = try await group.next() ?? nil
            group.cancelAll()
            await facts.manager.close()
            for try await other in group { reason = reason ?? other }
            return reason
        }
    }

    /// All resources of the interface.
    ///
    /// - Parameters:
    ///   - scenario: that is played, if one is.
    ///   - settingsChanged: told of the settings that hold after each change.
    static func routes(
        _ facts: DaemonContext, stop: ShutdownTrigger, scenario: Scenario? = nil,
        settingsChanged: @escaping @Sendable (Settings) -> Void
    ) -> RouteTable {
        let manager = facts.manager
        var table = RouteTable(headers: Self.interfaceVersion, figures: facts.requests)
        table.addDaemon(facts, stop: stop)
        table.addMetrics(facts)
        table.addStores(manager)
        table.addProducts(manager)
        table.addDownloads(manager)
        table.addOperations(manager)
        table.addPacks(manager)
        table.addUpdates(manager)
        table.addPurchases(manager)
        table.addStickers(manager)
        table.addSkins(manager)
        table.addSettings(manager, changed: settingsChanged)
        table.addEvents(manager, connections: facts.connections)
        if let scenario { table.addScenario(scenario, manager) { stop.request(.restart) } }
        table.addInterface()
        return table
    }

    private func stopWhenIdle(_ stop: ShutdownTrigger, _ facts: DaemonContext) async {
        let clock = ContinuousClock()
        var rule = IdleTimeout(now: clock.now)
        while true {
            // Asked each time: it may be changed meanwhile.
            let timeout = facts.manager.settings.current.daemonIdleTimeout
            var isBusy = facts.connections.count > 0
            // What is paused is on the disk, and goes on with the daemon that is told so. What waits for a clock that
            // nobody moves does nothing.
            if !isBusy, scenario?.clockMode != .moved { isBusy = await facts.manager.downloads.isBusy }
            let now = clock.now
            switch rule.look(isBusy: isBusy, lastChange: facts.connections.lastChange, timeout: timeout, now: now) {
            case .end: return stop.request(.idle)
            case .wait(let until):
                do { try await clock.sleep(until: until) } catch { return }
            }
        }
    }
}

extension SharedLogLevel {
    convenience init(_ settings: Settings) {
        self.init(.info)
        take(settings)
    }

    func take(_ settings: Settings) {
        // The setting takes only these words.
        value = Logger.Level(rawValue: settings.logLevel) ?? .info
    }
}
