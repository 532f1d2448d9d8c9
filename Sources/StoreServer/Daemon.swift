import Downloads
import Engine
import Files
import FoundationEssentials
import Hummingbird
import Logging
public import Settings
import StoreAPI
public import StoreModel

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

    private let places: Places
    private let environment: [String: String]
    private let overrides: [SettingKey: String]

    /// - Parameters:
    ///   - environment: of the process: has settings, and says whether systemd hands over the socket.
    ///   - overrides: settings that arguments of the program give.
    public init(places: Places, environment: [String: String], overrides: [SettingKey: String] = [:]) {
        self.places = places
        self.environment = environment
        self.overrides = overrides
    }

    /// Returns after an end in order: by SIGTERM or SIGINT, which it takes over, by `POST /v1/shutdown`, or for
    /// idleness (``Settings/daemonIdleTimeout``). What runs then goes on with the next start. Takes less than a second,
    /// whoever is connected, and three where somebody has connected and asks nothing. Logs to standard error.
    ///
    /// - Throws: `daemon.running` where another daemon has this home, `home.foreign`, `home.unwritable`,
    ///   `socket.failed`, `settings.invalid`, and what keeps the engine from opening.
    public func run() async throws {
        let stop = StopSignal()
        try await ProcessSignals.trapped(by: stop) { try await run(until: stop) }
    }

    private func run(until stop: StopSignal) async throws {
        // Many downloads and many readers at once each have a file or a socket.
        OpenFileLimit.raise()
        let settings = try await Settings.load(places: places, environment: environment, overrides: overrides)
        let level = LogLevel(settings)
        let log = Logger(label: "stored") { _ in LineLogHandler(level: level) }

        // The lock comes before everything that touches the home, the old socket file included.
        let work = BlockingWork(label: "store-server.home")
        let lock = try await work.run { [places] in
            try HomeFolder.check(places)
            return try HomeLock.acquire(dataFolder: places.data)
        }
        defer { lock.release() }
        let manager = try await StoreManager.open(
            places: places, environment: environment, overrides: overrides, log: log)
        do {
            let socket = try await work.run { [places, environment] in
                try ListeningSocket.inherited(environment: environment, defaultPath: places.socket)
                    ?? ListeningSocket.make(inRunFolder: places.run, else: places.data + "/run")
            }
            defer { socket.removeFile() }
            try lock.announce(socket: socket.path)
            let connections = OpenConnections()
            let facts = DaemonFacts(places: places, startedAt: Date(), manager: manager, connections: connections)
            let updates = UpdateTimer {
                await manager.timeToNextUpdateCheck(every: $0)
            } look: {
                await manager.checkForUpdates()
            }
            updates.set(settings.updatesCheckEvery)
            defer { updates.stop() }
            let responder = Self.responder(facts, stop: stop) { settings in
                level.take(settings)
                updates.set(settings.updatesCheckEvery)
            }
            let server = HTTPServer(socket: socket, connections: connections, log: log) { request, channel in
                guard connections.hear(channel) else { return Self.tooLate }
                let context = CallContext(source: .init(channel: channel, logger: log))
                return try await responder.respond(to: request, context: context)
            }
            try await serve(server, facts, until: stop, log)
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

    private func serve(_ server: HTTPServer, _ facts: DaemonFacts, until stop: StopSignal, _ log: Logger) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            group.addTask {
                // Ends with this task.
                async let _ = Self.stopWhenIdle(stop, facts)
                guard let reason = await stop.wait() else { return }
                log.info("Ending.", metadata: ["reason": "\(reason.rawValue)"])
                server.stopListening()
                server.connections.finish()
                try? await Task.sleep(for: Self.grace)
                server.connections.closeAsked()
                try? await Task.sleep(for: Self.patience - Self.grace)
                server.connections.closeAll()
            }
            // Whichever comes first: all connections have ended by themselves, or their time is over.
            try await group.next()
            group.cancelAll()
            await facts.manager.close()
        }
        log.info("Ended.")
    }

    /// Answers requests by all resources of the interface.
    ///
    /// - Parameter settingsChanged: told of the settings that hold after each change.
    static func responder(
        _ facts: DaemonFacts, stop: StopSignal, settingsChanged: @escaping @Sendable (Settings) -> Void
    ) -> some HTTPResponder<CallContext> {
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
        table.addSettings(manager, changed: settingsChanged)
        table.addEvents(manager, connections: facts.connections)
        return table.responder()
    }

    private static func stopWhenIdle(_ stop: StopSignal, _ facts: DaemonFacts) async {
        let clock = ContinuousClock()
        var rule = IdleRule(now: clock.now)
        while true {
            // Asked each time: it may be changed meanwhile.
            let timeout = await facts.manager.currentSettings().daemonIdleTimeout
            var isBusy = facts.connections.count > 0
            // What is paused is on the disk, and goes on with the daemon that is told so.
            if !isBusy { isBusy = await facts.manager.isDownloading() }
            let now = clock.now
            switch rule.look(isBusy: isBusy, lastChange: facts.connections.lastChange, timeout: timeout, now: now) {
            case .end: return stop.request(.idle)
            case .wait(let until):
                do { try await clock.sleep(until: until) } catch { return }
            }
        }
    }
}

extension LogLevel {
    convenience init(_ settings: Settings) {
        self.init(.info)
        take(settings)
    }

    func take(_ settings: Settings) {
        // The setting takes only these words.
        value = Logger.Level(rawValue: settings.logLevel) ?? .info
    }
}
