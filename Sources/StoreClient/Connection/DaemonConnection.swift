import FoundationEssentials
import StoreModel
import StoreSystem

/// Finds the socket at which the daemon of a home (the directories of one user) listens, or starts the daemon.
///
/// See `HomePaths` for the directories.
actor DaemonConnection {
    nonisolated let places: HomePaths
    private let starting: StoreClient.Starting
    private let environment: [String: String]
    private let disk = BlockingWork(label: "client.daemon", concurrent: true)
    /// The current or the last search for the daemon's socket; concurrent callers share it.
    private var search: Task<DaemonSocket, any Error>?

    private var startsDaemon: Bool { if case .ifNeeded = starting { true } else { false } }

    /// The time limit for a started daemon to respond, and for one that is ending to release the home.
    private let patience: Duration
    /// The time limit for a running daemon to begin to listen, which it does after restoring the download queue.
    private static let longestOpening: Duration = .seconds(600)
    /// The shortest and the longest time between two attempts to start the daemon.
    ///
    /// A start fails where another daemon is starting at the same time.
    private static let (shortestInterval, longestInterval): (Duration, Duration) = (.milliseconds(100), .seconds(5))

    init(
        places: HomePaths, starting: StoreClient.Starting, environment: [String: String],
        patience: Duration = .seconds(30)
    ) {
        self.places = places
        self.starting = starting
        self.environment = environment
        self.patience = patience
    }

    /// Returns a socket at which a daemon was found to listen; starts the daemon if none does and that is allowed.
    ///
    /// - Parameter mayStart: whether the daemon may be started; `false` overrides the client's own behavior.
    /// - Throws: `StoreError`; `CancellationError`, which does not end the search for other callers.
    func socket(mayStart: Bool = true) async throws -> DaemonSocket {
        let isShared = search != nil
        let search = search ?? begin(mayStart: mayStart)
        let found = Promise<Result<DaemonSocket, any Error>>()
        Task { found.keep(await search.result) }
        do {
            return try await found.value().get()
        } catch let error as StoreError
            where isShared && mayStart && startsDaemon && error.template == .daemonNotRunning
        {
            // The search that was under way was for a caller that must not start the daemon.
            return try await socket()
        }
    }

    private func begin(mayStart: Bool) -> Task<DaemonSocket, any Error> {
        let begun = Task {
            do {
                return try await find(mayStart: mayStart)
            } catch {
                // No other search was begun meanwhile, because all callers share this one.
                search = nil
                throw error
            }
        }
        search = begun
        return begun
    }

    /// Forgets a socket at which the daemon no longer listens, so that the next request searches again.
    func lost(_ socket: DaemonSocket) async {
        if let search, let known = try? await search.value, known.path == socket.path, self.search == search {
            self.search = nil
        }
    }

    /// Returns the socket at which the daemon of this home listens; `nil` if there is none.
    ///
    /// It is the socket in the lock file, or else the default one.
    private func listening() async throws -> DaemonSocket? {
        let places = places
        let locked: DaemonSocket? = try await disk.run {
            // The lock file contains the socket of this home's daemon, whatever environment the daemon was started
            // with.
            guard let holder = HomeLock.holder(at: places.lock), !holder.socket.isEmpty else { return nil }
            return try DaemonSocket.listening(at: holder.socket)
        }
        if let locked { return locked }
        // A service manager listens before there is a daemon. But two homes may have one runtime directory, so the daemon
        // that listens there may serve the other home.
        guard let socket = try await disk.run({ try DaemonSocket.listening(at: places.socket) }),
            try await socket.servesHome(withData: places.data, within: patience)
        else { return nil }
        return socket
    }

    private func find(mayStart: Bool) async throws -> DaemonSocket {
        if let socket = try await listening() { return socket }
        guard mayStart, case .ifNeeded(let path) = starting else {
            throw StoreError(.daemonNotRunning, ["path": places.socket])
        }
        return try await start(try DaemonProgram.find(path, environment: environment))
    }

    private func start(_ program: DaemonProgram) async throws -> DaemonSocket {
        let begun = ContinuousClock.now
        var attempt: DaemonStart? = try await begin(program)
        var gaveWay = begun
        defer { attempt?.release() }
        var pause: Duration = .milliseconds(2)
        while try await mayStillCome(since: begun) {
            try await Task.sleep(for: pause)
            if let socket = try await listening() { return socket }
            // The user waits, and most daemons listen within milliseconds, so the first intervals are short.
            let longest: Duration = ContinuousClock.now - begun < .seconds(1) ? .milliseconds(5) : .milliseconds(50)
            pause = min(pause * 3 / 2, longest)
            if let running = attempt {
                guard let code = running.exitCode() else { continue }
                attempt = nil
                // Another daemon owns the home and will listen soon, or is about to exit; or the started one was
                // stopped before it got a request.
                guard code == ExitCode.conflict.rawValue || code == ExitCode.done.rawValue else {
                    throw running.failure(code: code)
                }
                // An application will not begin to listen.
                if let holder = try await applicationUsingHome() {
                    throw StoreError(homeOf: places, inUseBy: holder)
                }
                gaveWay = .now
            } else if try await mayBegin(after: gaveWay) {
                attempt = try await begin(program)
            }
        }
        throw attempt?.timeout(patience)
            ?? StoreError(.daemonBusy, ["limit": patience])
    }

    /// Returns whether the daemon may be started again after a start that failed because of another daemon.
    ///
    /// While the process that holds the lock runs, a start is tried at the longest interval only: many clients that
    /// start daemons would leave that process no time to begin to listen. The lock file may contain a process id that
    /// now belongs to another program, so waiting alone is not enough either.
    private func mayBegin(after gaveWay: ContinuousClock.Instant) async throws -> Bool {
        let passed = ContinuousClock.now - gaveWay
        guard passed >= Self.shortestInterval else { return false }
        guard passed < Self.longestInterval else { return true }
        let lock = places.lock
        return try await disk.run { HomeLock.holder(at: lock)?.isRunning != true }
    }

    /// Returns whether a daemon that holds the lock on the home may still begin to listen.
    private func mayStillCome(since begun: ContinuousClock.Instant) async throws -> Bool {
        let passed = ContinuousClock.now - begun
        guard passed >= patience else { return true }
        guard passed < Self.longestOpening else { return false }
        let lock = places.lock
        return try await disk.run { HomeLock.holder(at: lock).map { $0.socket.isEmpty && $0.isRunning } ?? false }
    }

    /// Returns the content of the lock file if an application with the engine inside holds the lock on the home.
    private func applicationUsingHome() async throws -> HomeLock.Holder? {
        let lock = places.lock
        let holder = try await disk.run { HomeLock.holder(at: lock).flatMap { $0.isRunning ? $0 : nil } }
        return holder?.role == .application ? holder : nil
    }

    private func begin(_ program: DaemonProgram) async throws -> DaemonStart {
        let places = places
        return try await disk.run { try program.start(for: places) }
    }

    /// Returns whether a daemon that no longer listens still holds the lock on the home.
    func isDaemonEnding() async throws -> Bool {
        let places = places
        return try await disk.run {
            // A daemon that is starting has no socket yet, and an application will not end.
            guard let holder = HomeLock.holder(at: places.lock), !holder.socket.isEmpty, holder.role != .application
            else { return false }
            return HomeLock.isHeld(in: try Directory.open(places.data))
        }
    }

    /// Returns the process that holds the lock on the home; `nil` if none does.
    func lockHolder() async throws -> HomeLock.Holder? {
        try await disk.run { [places] in HomeLock.holder(at: places.lock) }
    }

    /// Waits until a daemon has released the lock on the home.
    ///
    /// - Parameter daemon: the holder of the lock before the daemon was stopped: since then, another command may have
    ///   started the next one. `nil` is the present holder.
    /// - Throws: `daemon.unreachable` after the time limit.
    func untilReleased(by daemon: HomeLock.Holder?) async throws {
        let deadline = ContinuousClock.now + patience
        let lock = places.lock
        // A daemon empties the lock file when it releases the lock; the process of a daemon that was killed no longer
        // runs.
        var holder = daemon
        if holder == nil { holder = try await lockHolder() }
        guard let holder else { return }
        while ContinuousClock.now < deadline {
            let now = try await disk.run { HomeLock.holder(at: lock) }
            if now?.pid != holder.pid || !holder.isRunning { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw StoreError(
            .daemonNotResponding,
            ["path": places.socket, "reason": "it has not ended within \(patience.components.seconds) seconds"])
    }
}
