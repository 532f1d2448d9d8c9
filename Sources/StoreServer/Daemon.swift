import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import StoreAPI
import StoreDownloads
import StoreEngine
import StoreMessages
public import StoreModel
public import StoreScenarios
public import StoreSettings
import StoreSystem

/// The daemon `stored`: locks its data directory, opens the engine, and serves the HTTP interface at a unix socket.
///
/// ```swift
/// let paths = try HomePaths.current(home: "/tmp/store-home")
/// try await Daemon(paths: paths, environment: [:]) { print("listening at \(paths.socket)") }.run()
/// ```
public struct Daemon: Sendable {
    /// The time that responses in progress have to complete after the shutdown of the daemon has begun.
    private static let responseGracePeriod = Duration.milliseconds(300)
    /// The time that a client that connected during the shutdown has to send its request and receive a refusal.
    private static let connectionGracePeriod = Duration.seconds(3)
    /// The time that requests that change something have to complete after the shutdown of the daemon has begun.
    private static let changeGracePeriod = Duration.seconds(20)

    /// The HTTP header field with the version of the daemon's interface.
    ///
    /// By it a client of another release detects the difference.
    ///
    /// The name is a token of HTTP.
    private static let interfaceVersion: HTTPFields = [
        .init(StoreAPI.versionHeader)!: String(StoreAPI.version)
    ]

    private let paths: HomePaths
    private let environment: [String: String]
    private let overrides: [SettingKey: String]
    private let scenario: Scenario?
    private let desktop: DesktopConnecting?
    private let onListening: @Sendable () -> Void

    /// Creates a daemon for a set of directories; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - paths: the directories that the daemon works on.
    ///   - environment: the environment of the process: settings, and the sockets that systemd passes.
    ///   - overrides: the settings in the program's arguments.
    ///   - scenario: the scenario that replaces the network and the clock. The data directory then has to be empty.
    ///   - desktop: connects to the user's desktop, which shows notifications; `nil` if there is none.
    ///   - onListening: called when clients can connect, also after each restart of a scenario.
    public init(
        paths: HomePaths, environment: [String: String], overrides: [SettingKey: String] = [:],
        scenario: Scenario? = nil, desktop: DesktopConnecting? = nil,
        onListening: @escaping @Sendable () -> Void = {}
    ) {
        self.paths = paths
        self.environment = environment
        self.overrides = overrides
        self.scenario = scenario
        self.desktop = desktop
        self.onListening = onListening
    }

    /// Runs the daemon until it has shut down, and logs to standard error.
    ///
    /// SIGTERM and SIGINT, whose handling it takes over, `POST /v1/shutdown`, and idleness
    /// (``Settings/daemonIdleTimeout``) shut it down. Downloads that run then resume with the next start. The shutdown takes less
    /// than a second, three seconds if a client has connected and sends no request, or at most twenty where a request
    /// that changes something takes that long.
    ///
    /// - Throws: `home.inUse` if another process uses the home, `home.foreign`, `home.open`, `home.unwritable`,
    ///   `socket.failed`, `settings.invalid`, and the errors of opening the engine.
    public func run() async throws {
        let shutdown = ShutdownTrigger()
        try await TerminationSignals.withSignals(triggering: shutdown) { try await run(until: shutdown) }
    }

    private func run(until shutdown: ShutdownTrigger) async throws {
        // Also where no service manager started it. A kernel that refuses this has no such privileges to give.
        CurrentProcess.refuseNewPrivileges()
        // Every download and every connection needs a file descriptor.
        OpenFileLimit.raise()
        HeapLimit.set()
        let settings = try await Settings.load(places: paths, environment: environment, overrides: overrides)
        let logLevel = SharedLogLevel(settings)
        let log = Logger(label: "stored") { _ in LineLogHandler(level: logLevel) }

        // The lock is acquired before anything else accesses the directories, including the removal of a stale socket.
        let work = BlockingWork(label: "store-server.home")
        let reserve = SpaceReserve(dataDirectory: paths.data, log: log)
        let lock = try await reserve.freeingIfNeeded {
            try await work.run { [paths] in
                try PrivateDirectory.check(paths)
                return try HomeLock.acquire(paths, as: .daemon)
            }
        }
        defer { lock.release() }
        while try await serve(until: shutdown, holding: lock, reserve, settings, logLevel, log) == .restart {}
        log.info("shut down")
    }

    /// Opens the engine and serves HTTP requests until the daemon shuts down.
    ///
    /// - Returns: the reason of the shutdown; `nil` if the socket stopped accepting connections.
    private func serve(
        until shutdown: ShutdownTrigger, holding lock: HomeLock, _ reserve: SpaceReserve, _ settings: Settings,
        _ logLevel: SharedLogLevel, _ log: Logger
    ) async throws -> ShutdownTrigger.Reason? {
        let work = BlockingWork(label: "store-server.socket")
        let stage = try await scenario?.prepare()
        let manager = try await reserve.freeingIfNeeded {
            try await StoreManager.open(
                places: paths, lock: lock, environment: environment, overrides: overrides,
                clock: scenario?.clock.time ?? .system, transfers: stage?.transfers,
                network: stage?.network ?? .system, log: log)
        }
        // A scenario needs no space, and an empty directory.
        if scenario == nil { reserve.allocate() }
        do {
            try await scenario?.play(manager)
            let socket = try await work.run { [paths, environment] in
                try ListeningSocket.inherited(environment: environment, defaultPath: paths.socket)
                    ?? ListeningSocket.make(in: paths.run, fallback: paths.data + "/run")
            }
            defer { socket.removeFile() }
            try Self.announce(socket.path, in: lock)
            onListening()
            let connections = OpenConnections()
            let web = try WebListener(data: Directory.open(paths.data), connections: connections, log: log)
            let context = DaemonContext(
                paths: paths, socket: socket.path, startedAt: scenario?.clock.date ?? Date(), manager: manager,
                connections: connections, web: web, pages: PageResponder { Int(manager.events.lastSequence) })
            let language = Language(environment: environment)
            let reporter = desktop.flatMap { DesktopReporter(context, log: log, language: language, connecting: $0) }
            let updates = UpdateCheckTimer {
                await manager.updates.timeToNextCheck(every: $0)
            } check: {
                let new = await manager.updates.check()
                await reporter?.report(new)
            }
            // A scenario checks for updates by its own virtual clock.
            if scenario == nil { updates.set(manager.settings.current.updatesCheckEvery) }
            defer { updates.stop() }
            let expiry = Task {
                while true {
                    do { try await Task.sleep(for: .seconds(24 * 60 * 60)) } catch { return }
                    await manager.expirePrevious()
                }
            }
            defer { expiry.cancel() }
            let idleWait = InterruptibleSleep()
            manager.observeSettings { [scenario] settings in
                idleWait.interrupt()
                logLevel.apply(settings)
                web.applyOrLog(settings)
                if scenario == nil { updates.set(settings.updatesCheckEvery) }
            }
            // Made while the first client connects.
            let routing = Task { [scenario] in
                let table = Self.routes(context, shutdown: shutdown, scenario: scenario)
                return (routes: table.routes, responder: table.responder())
            }
            let respond = { @Sendable (request: Request, channel: any Channel, isFromWebListener: Bool) in
                let (described, responder) = await routing.value
                guard connections.recordRequest(on: channel, mayChange: described.mayChange(request)) else {
                    let response = Self.shuttingDownResponse
                    return request.method == .head ? response.createHeadResponse() : response
                }
                let context = ServerRequestContext(
                    channel, of: connections, log: log, isFromWebListener: isFromWebListener)
                return try await responder.respond(to: request, context: context)
            }
            // Transfers are prepared after the first response, which would otherwise be late and may need none.
            let server = HTTPServer(
                socket: socket, connections: connections, log: log, onResponse: { manager.prepareTransfers() },
                respond: { try await respond($0, $1, false) })
            web.applyOrLog(manager.settings.current)
            let reason = try await serve(server, context, until: shutdown, idleWait, reporter, log) {
                await web.run(routes: routing.value.routes, pages: context.pages) { try await respond($0, $1, true) }
            }
            await reporter?.stop()
            return reason
        } catch {
            await manager.close()
            throw error
        }
    }

    /// Writes the path of the daemon's socket to the lock file of the home.
    private static func announce(_ socket: String, in lock: HomeLock) throws(StoreError) {
        do { try lock.announce(socket: socket) } catch {
            throw StoreError(unusableHomeDirectory: lock.path, cause: error)
        }
    }

    /// The HTTP response to a request that arrives while the daemon shuts down.
    ///
    /// The request was not carried out, so the client can repeat it with the next daemon.
    static var shuttingDownResponse: Response {
        .problem(
            ErrorReport(StoreError(.daemonShuttingDown)),
            headers: [.connection: "close"])
    }

    private func serve(
        _ server: HTTPServer, _ context: DaemonContext, until shutdown: ShutdownTrigger,
        _ idleWait: InterruptibleSleep, _ reporter: DesktopReporter?, _ log: Logger,
        serveWeb: @escaping @Sendable () async -> Void
    ) async throws -> ShutdownTrigger.Reason? {
        try await withThrowingTaskGroup(of: ShutdownTrigger.Reason?.self) { group in
            group.addTask {
                await serveWeb()
                return nil
            }
            group.addTask {
                await server.run()
                // The end of this task cancels the web listener: its requests that change something are completed first.
                while server.connections.isChanging, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
                return nil
            }
            if let scenario, scenario.clockMode == .real {
                group.addTask {
                    if try await scenario.run() { shutdown.request(.restart) }
                    // The shutdown cancels this task; its return must not end the group before that.
                    try? await Task.sleep(for: Self.changeGracePeriod * 2)
                    return nil
                }
            }
            group.addTask {
                // Cancelled when this task returns.
                async let _ = shutDownWhenIdle(shutdown, context, idleWait, reporter)
                guard let reason = await shutdown.wait() else { return nil }
                log.info("shutting down", metadata: ["reason": "\(reason.rawValue)"])
                server.stopListening()
                server.connections.beginShutdown()
                try? await Task.sleep(for: Self.responseGracePeriod)
                server.connections.closeUsed()
                try? await Task.sleep(for: Self.connectionGracePeriod - Self.responseGracePeriod)
                server.connections.closeUnused()
                try? await Task.sleep(for: Self.changeGracePeriod - Self.connectionGracePeriod)
                server.connections.closeAll()
                return reason
            }
            // The loop ends with the first of two events: the last connection is closed, or the grace period is over.
            var reason = try await group.next() ?? nil
            group.cancelAll()
            await context.manager.close()
            for try await other in group { reason = reason ?? other }
            return reason
        }
    }

    /// Returns the routes of the daemon's HTTP interface with their handlers.
    ///
    /// - Parameter scenario: the scenario that the daemon runs, if any.
    static func routes(
        _ context: DaemonContext, shutdown: ShutdownTrigger, scenario: Scenario? = nil
    ) -> RouteTable {
        let manager = context.manager
        var table = RouteTable(headers: Self.interfaceVersion, metrics: context.requests)
        table.addDaemon(context, shutdown: shutdown)
        table.addMetrics(context)
        table.addStores(manager)
        table.addProducts(manager)
        table.addDownloads(manager, context.operations)
        table.addOperations(manager)
        table.addPacks(manager)
        table.addUpdates(manager, context.operations)
        table.addPlans(manager)
        table.addPurchases(manager)
        table.addStickers(manager)
        table.addStickerFormats(manager, context.operations)
        table.addEmoji(manager)
        table.addSkins(manager)
        table.addSettings(manager)
        table.addEvents(manager, context.operations, connections: context.connections)
        table.addWeb(context.web, manager)
        table.addPages(manager, context.pages)
        table.addPageActions(manager, context.pages, operations: context.operations)
        table.addSettingsPages(manager, context.web, context.pages)
        if let scenario { table.addScenarioClock(scenario, manager) { shutdown.request(.restart) } }
        table.addOpenAPI(socket: context.socket)
        return table
    }

    private func shutDownWhenIdle(
        _ shutdown: ShutdownTrigger, _ context: DaemonContext, _ wait: InterruptibleSleep, _ reporter: DesktopReporter?
    ) async {
        let clock = ContinuousClock()
        var idle = IdleTimeout(now: clock.now)
        while true {
            // Read each time, because the setting can change, which ends the wait.
            let timeout = context.manager.settings.current.daemonIdleTimeout
            // Pages that were opened before, and the installed web app, find the daemon as long as the listener is on.
            // The buttons of a notification, too.
            var isBusy = context.connections.count > 0 || context.web.isOn || reporter?.awaitsReaction == true
            // Paused downloads are on the disk, and can be resumed in the next daemon. Downloads that wait for a scenario's
            // clock make no progress until a client advances it.
            if !isBusy, scenario?.clockMode != .moved { isBusy = await context.manager.downloads.isBusy }
            let now = clock.now
            switch idle.evaluate(isBusy: isBusy, lastChange: context.connections.lastChange, timeout: timeout, now: now)
            {
            case .expired: return shutdown.request(.idle)
            case .wait(let until): await wait.sleep(until: until)
            }
            if Task.isCancelled { return }
        }
    }
}
