import FoundationEssentials
import StoreModel
import StoreSystem

/// Knows at which socket the daemon of a home answers, and starts the daemon where none does.
actor DaemonConnection {
    nonisolated let places: HomePaths
    private let starting: StoreClient.Starting
    private let environment: [String: String]
    private let disk = BlockingWork(label: "client.daemon", concurrent: true)
    /// The search that runs, or the one that ended last: whoever asks meanwhile shares it.
    private var search: Task<DaemonSocket, any Error>?

    /// How long a daemon that was started may take until it answers.
    static let patience: Duration = .seconds(30)
    /// How long one that has its home already may take until it listens: it brings back all that was queued.
    private static let longestOpening: Duration = .seconds(600)
    /// How long the next start waits after one that gave way to another daemon.
    private static let (shortestInterval, longestInterval): (Duration, Duration) = (.milliseconds(100), .seconds(5))

    init(places: HomePaths, starting: StoreClient.Starting, environment: [String: String]) {
        self.places = places
        self.starting = starting
        self.environment = environment
    }

    /// A socket at which the daemon listened when it was last looked.
    ///
    /// - Parameter mayStart: `false` asks for a daemon that runs, whatever the client was told.
    /// - Throws: ``StoreClientError``; `CancellationError`, which leaves the search to those who share it.
    func socket(mayStart: Bool = true) async throws -> DaemonSocket {
        let search = search ?? begin(mayStart: mayStart)
        let found = Promise<Result<DaemonSocket, any Error>>()
        Task { found.keep(await search.result) }
        return try await found.value().get()
    }

    private func begin(mayStart: Bool) -> Task<DaemonSocket, any Error> {
        let begun = Task {
            do {
                return try await find(mayStart: mayStart)
            } catch {
                // Nobody can have begun another: this is the one that all share.
                search = nil
                throw error
            }
        }
        search = begun
        return begun
    }

    /// Says that nobody answers at `socket` any more.
    func lost(_ socket: DaemonSocket) async {
        if let search, let known = try? await search.value, known.path == socket.path, self.search == search {
            self.search = nil
        }
    }

    /// The socket if somebody listens, at the usual place or at the one that the lock names; else `nil`.
    private func listening() async throws -> DaemonSocket? {
        let places = places
        let locked: DaemonSocket? = try await disk.run {
            // The lock file says where this home's daemon listens, whatever environment the daemon was started from.
            guard let holder = DaemonLock.holder(at: places.lock), !holder.socket.isEmpty else { return nil }
            return try DaemonSocket.listening(at: holder.socket)
        }
        if let locked { return locked }
        // A service manager listens before there is a daemon. But two homes may have one runtime directory, so the daemon
        // that listens there may serve the other home.
        guard let socket = try await disk.run({ try DaemonSocket.listening(at: places.socket) }),
            try await socket.servesHome(withData: places.data, within: Self.patience)
        else { return nil }
        return socket
    }

    private func find(mayStart: Bool) async throws -> DaemonSocket {
        if let socket = try await listening() { return socket }
        guard mayStart, case .ifNeeded(let path) = starting else {
            throw StoreClientError(
                .daemonUnreachable,
                "The daemon does not run: nobody answers at '\(places.socket)'. Start it with 'storectl daemon start'.")
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
            // Somebody looks on; and it is soon there, unless it has much to bring back.
            let longest: Duration = ContinuousClock.now - begun < .seconds(1) ? .milliseconds(5) : .milliseconds(50)
            pause = min(pause * 3 / 2, longest)
            if let running = attempt {
                guard let code = running.exitCode() else { continue }
                attempt = nil
                // Another daemon owns the home: one that comes up and will listen soon, or one that is going down. Or
                // this one has come up, and somebody stopped it before it could be asked anything.
                guard code == ExitCode.conflict.rawValue || code == ExitCode.done.rawValue else {
                    throw running.failure(code: code)
                }
                gaveWay = .now
            } else if try await mayBegin(after: gaveWay) {
                attempt = try await begin(program)
            }
        }
        throw attempt?.timeout(Self.patience)
            ?? StoreClientError(
                .daemonUnreachable,
                "A daemon has this home and does not answer within \(Int(Self.patience.seconds)) s.")
    }

    /// Whether another start may help, where one has given way already. Not while the one that has the home lives: many
    /// clients that all tried again and again would leave it no time to come up. But that one's number may be somebody
    /// else's by now, so that waiting alone is not enough either.
    private func mayBegin(after gaveWay: ContinuousClock.Instant) async throws -> Bool {
        let passed = ContinuousClock.now - gaveWay
        guard passed >= Self.shortestInterval else { return false }
        guard passed < Self.longestInterval else { return true }
        let lock = places.lock
        return try await disk.run { DaemonLock.holder(at: lock)?.isRunning != true }
    }

    /// Whether a daemon may still begin to listen.
    private func mayStillCome(since begun: ContinuousClock.Instant) async throws -> Bool {
        let passed = ContinuousClock.now - begun
        guard passed >= Self.patience else { return true }
        guard passed < Self.longestOpening else { return false }
        let lock = places.lock
        return try await disk.run { DaemonLock.holder(at: lock).map { $0.socket.isEmpty && $0.isRunning } ?? false }
    }

    private func begin(_ program: DaemonProgram) async throws -> DaemonStart {
        let places = places
        return try await disk.run { try program.start(for: places) }
    }

    /// Returns when no daemon holds the home any more, or one that has only just begun to.
    func untilReleased() async throws {
        let deadline = ContinuousClock.now + Self.patience
        let (lock, holder) = (places.lock, try await disk.run { [places] in DaemonLock.holder(at: places.lock) })
        // Its file says so: a daemon empties it when it lets go, and one that was killed is no more.
        while let holder, ContinuousClock.now < deadline {
            let now = try await disk.run { DaemonLock.holder(at: lock) }
            if now?.pid != holder.pid || !holder.isRunning { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
