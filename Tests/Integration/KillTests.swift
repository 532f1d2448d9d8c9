import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// Kills the daemon at random moments of all operations that change the library.
@Suite(.serialized) struct KillTests {
    /// At least one of this many kills must interrupt a command's operation that was changing files.
    static let interruptingShare = 5
    /// The number of kills; can be set for short or long runs.
    static let kills = ProcessInfo.processInfo.environment["STORECTL_TEST_KILLS"].flatMap { Int($0) } ?? 150

    // As `hangGuard`, and a second for each kill.
    @Test(.timeLimit(.minutes(30 + kills / 60)))
    func `whenever the daemon is killed, every pack stays complete and every operation ends once`() async throws {
        let rounds = try await KillRounds()
        print("kills: seed \(rounds.random.seed) (STORECTL_TEST_SEED does it again)")
        let clock = ContinuousClock()
        try await rounds.prepare()
        let start = clock.now
        // A kill of a daemon without work proves little. Where kills miss the work, more of them are needed, within a bound.
        let wanted = Self.kills / Self.interruptingShare
        while rounds.kills < Self.kills || rounds.interruptions < wanted, rounds.kills < 5 * Self.kills {
            try await rounds.run()
            // If the test does not end in time, the last line tells whether it was slow or hung.
            if rounds.count % 25 == 0 { print("kills: \(rounds.progress), after \(clock.now - start)") }
        }
        let seconds = Double((clock.now - start).components.seconds)
        try await rounds.finish()
        #expect(rounds.interruptions >= wanted, "of \(rounds.kills) kills")
        print(
            "kills: \(rounds.progress), and \(seconds) s, "
                + "\(rounds.operations.count) operations, \(rounds.observer.seen.count) events, "
                + "exit codes \(rounds.outcomes), left behind in \(rounds.remains)")
    }
}

/// The rounds of the test, and the checks after each.
final class KillRounds {
    static let products = ["tiny", "many", "deep", "large"]

    let store: UpdateStore
    let server: NginxServer
    let home: TestHome
    let observer: DaemonObserver
    private let client: StoreClient
    var random = KillRandom()
    private(set) var kills = 0
    private(set) var count = 0
    /// Every ended operation with its first published record.
    private(set) var operations: [OperationID: OperationRecord] = [:]
    /// The number of commands by exit code, without killed commands.
    private(set) var outcomes: [Int32: Int] = [:]
    /// The number of rounds whose first kill interrupted an operation.
    ///
    /// A directory that is empty between operations was not. Later kills of a round are not counted, as they may find
    /// what the first left.
    private(set) var interruptions = 0
    /// The number of kills after which each of these directories was not empty.
    private(set) var remains: [String: Int] = [:]
    private var models = Dictionary(uniqueKeysWithValues: products.map { ($0, KillModel()) })
    private var granted: Set<String> = []
    private var sequence: UInt64 = 0
    /// The duration of a round without a kill, adapted in each round: other tests begin and end meanwhile, and with a
    /// duration that was measured beside them nearly all kills would come after the work.
    private var undisturbed = Duration.zero
    /// The duration of the daemon's start.
    private var startTime = Duration.zero

    init() async throws {
        store = try await UpdateStore(Self.products + ["kept"], contents: Self.files)
        server = try await NginxServer(serving: store.store.publicPath)
        home = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "0"])
        observer = DaemonObserver(of: home)
        let places = try HomePaths(
            HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home.path)
        client = StoreClient(home: places, startingDaemon: .never)
    }

    deinit { observer.stop() }

    var progress: String { "\(kills), of which \(interruptions) interrupted work, in \(count) rounds" }

    private static func files(_ identifier: String, _ version: Int) -> [String: Data] {
        let seed = UInt64(version * 1000 + identifier.count)
        var files = ["VERSION": Data("\(identifier) \(version)".utf8), "01.png": TestStore.bytes(900, seed: seed)]
        switch identifier {
        // The versions differ in names, number and sizes of files, so that a mixture is detected.
        case "many":
            for number in 0..<(240 + 10 * version) {
                files["\(version)-\(number).png"] = TestStore.bytes(200 + number, seed: seed + UInt64(number))
            }
        case "deep":
            for number in 0..<12 {
                files["a/\(version)/c/\(number % 3)/\(number).png"] = TestStore.bytes(3000, seed: seed + UInt64(number))
            }
        case "large":
            files["0.webp"] = TestStore.bytes(700_000 + version, seed: seed)
            // An update copies these from the installed version.
            for number in 1..<4 { files["\(number).webp"] = TestStore.bytes(700_000, seed: UInt64(number)) }
        default: break
        }
        return files
    }

    // MARK: Preparation

    func prepare() async throws {
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "kept")
        try await home.must("hold", "kept")
        await observer.untilConnected()
        // Without a kill, the model must predict the exact state.
        let clock = ContinuousClock()
        var total = Duration.zero
        for _ in 0..<6 {
            let shown = count % 2 + 1
            try store.show(shown)
            let actions = chooseActions(shown: shown)
            let began = clock.now
            let results = try await finish(try actions.map { try start($0.arguments) })
            total += clock.now - began
            for result in results { #expect([0, 3].contains(result.exit), "\(result)") }
            for (id, model) in models {
                models[id] = actions.filter { $0.concerns(id) }.reduce(model) { $0.after($1, shown: shown) }
            }
            count += 1
            try await check(models.mapValues { [$0] }, during: "\(actions), undisturbed")
        }
        undisturbed = total / 6
        try await home.must("daemon", "stop")
        let began = clock.now
        try await home.must("daemon", "start")
        startTime = clock.now - began
        print("kills: a round takes \(undisturbed), a start \(startTime)")
    }

    /// Chooses random actions.
    ///
    /// - Parameter shown: the version in the store.
    private func chooseActions(shown: Int) -> [KillAction] {
        if Int.random(in: 0..<8, using: &random) == 0 { return [.updateAll] }
        return Self.products.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)).map { id in
            let all: [KillAction] = [.install(id), .update(id), .uninstall(id), .rollback(id)]
            // Actions without an effect are rare.
            let model = models[id] ?? KillModel()
            let effective = all.filter { model.after($0, shown: shown) != model }
            let choice = Int.random(in: 0..<10, using: &random) == 0 ? all : effective
            return choice.randomElement(using: &random) ?? .install(id)
        }
    }

    private func finish(_ programs: [Programs.Running]) async throws -> [Programs.Result] {
        var results: [Programs.Result] = []
        for program in programs { results.append(try await program.result()) }
        return results
    }

    // MARK: A round

    func run() async throws {
        count += 1
        let shown = Int.random(in: 1...2, using: &random)
        try store.show(shown)
        let actions = chooseActions(shown: shown)
        // In half of the rounds no command is left that would start the daemon again, so that the remaining files can
        // be examined.
        let killsClients = Bool.random(using: &random)
        let programs = try actions.map { try start($0.arguments) }
        let grant = Task { [client, count] in try await client.grantPurchase("bought-\(count)") }
        try await wait(forWorkOf: programs)
        if killsClients { for program in programs { program.signal(SIGKILL) } }
        let isDead = await kill()
        if isDead, !remainingFolders.isEmpty { interruptions += 1 }
        let results = try await finish(programs)
        if (try? await grant.value) != nil { granted.insert("bought-\(count)") }
        if killsClients, isDead { try checkRemains(of: "\(actions), right after the kill") }

        while Int.random(in: 0..<3, using: &random) == 0, kills < KillTests.kills {
            let starting = try start(["daemon", "start"])
            try await wait(upTo: startTime + undisturbed / 2)
            starting.signal(SIGKILL)
            let isDead = await kill()
            _ = try await starting.result()
            if isDead { try checkRemains(of: "\(actions), after another kill") }
        }

        var possible: [String: Set<KillModel>] = [:]
        for (id, model) in models {
            possible[id] = [model]
            for (action, result) in zip(actions, results) where action.concerns(id) {
                let after = model.after(action, shown: shown)
                // A confirmed action has taken effect; any other may or may not have.
                if result.exit == 0, !killsClients { possible[id] = [after] } else { possible[id]?.insert(after) }
            }
        }
        if !killsClients { for result in results { outcomes[result.exit, default: 0] += 1 } }
        try await check(possible, during: "\(actions), store at \(shown), exits \(results.map(\.exit))")
    }

    private func wait(upTo whole: Duration) async throws {
        try await Task.sleep(for: whole * Double.random(in: 0...1.3, using: &random))
    }

    /// Waits for a random part of the duration of a round, and adapts that duration.
    private func wait(forWorkOf programs: [Programs.Running]) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let end = began + undisturbed * Double.random(in: 0...1.3, using: &random)
        while clock.now < end, programs.contains(where: \.isRunning) {
            try await Task.sleep(until: min(end, clock.now + undisturbed / 20))
        }
        let elapsed = clock.now - began
        if !programs.contains(where: \.isRunning) {
            undisturbed = (undisturbed * 3 + elapsed) / 4
            // Some of the kills come after the work.
            try await Task.sleep(until: end)
        } else if elapsed > undisturbed {
            undisturbed = (undisturbed * 3 + elapsed * 1.3) / 4
        }
    }

    /// Kills the daemon.
    ///
    /// - Returns: whether one was running.
    private func kill() async -> Bool {
        guard home.daemonPID != nil else { return false }
        await home.killDaemon()
        kills += 1
        for folder in remainingFolders { remains[folder, default: 0] += 1 }
        return true
    }

    /// The directories that are empty between operations, and are not now.
    private var remainingFolders: [String] {
        ["data/staging", "cache/partial", "data/trash"].filter { !home.entries($0).isEmpty }
    }

    private func start(_ arguments: [String]) throws -> Programs.Running {
        try Programs.start("storectl", arguments, environment: home.environment)
    }

    // MARK: Checks

    /// Checks the state that a killed daemon left: each pack must be complete even without recovery.
    private func checkRemains(of what: String) throws {
        do {
            try checkPacksOnDisk(during: what)
        } catch  where home.daemonPID != nil {
            // A second daemon may be starting; a state that changes during the check proves nothing.
        }
    }

    private func checkPacksOnDisk(during what: String) throws {
        for (folder, entries) in [("packs", home.entries("data/packs")), ("previous", home.entries("data/previous"))] {
            for entry in entries {
                let id = String(entry.dropLast(".stickers".count))
                #expect(entry == id + ".stickers" && store.contents[id] != nil, "\(entry) in \(folder): \(what)")
                _ = try store.version(of: id, in: "\(home.path)/data/\(folder)/\(entry)")
            }
        }
    }

    /// Checks the state after recovery.
    ///
    /// - Parameter possible: the possible states of each product.
    private func check(_ possible: [String: Set<KillModel>], during what: String) async throws {
        let verified = try await home.must("verify", "--json").json
        let results = try #require(verified["results"]).elements
        #expect(results.contains { $0["productIdentifier"].text == "kept" }, "\(results): \(what)")
        for result in results {
            #expect(result["intact"] == .bool(true), "\(result): \(what)")
        }
        // Queued downloads continue automatically.
        var follower = try await client.follower()
        for download in try await client.downloads() where download.end == nil { follower.follow(download) }
        try await eventually { try await follower.next() == nil }

        #expect(home.entries("data/staging").isEmpty, "\(what)")
        #expect(home.entries("cache/partial").isEmpty, "\(what)")
        try checkPacksOnDisk(during: what)
        let snapshot = try await client.snapshot()
        let packs = Dictionary(uniqueKeysWithValues: snapshot.packs.map { ($0.productIdentifier, $0) })
        for id in Self.products {
            let found = KillModel(
                current: try versionOnDisk(id, "packs"), previous: try versionOnDisk(id, "previous"),
                isHeld: packs[id]?.held ?? false)
            #expect(packs[id]?.version?.text == found.current.map { "\($0).0.0" }, "\(id): \(what)")
            #expect(possible[id]?.contains(found) == true, "\(id) is \(found), may be \(possible[id] ?? []): \(what)")
            models[id] = found
        }
        #expect(packs["kept"]?.held == true && packs["kept"]?.version?.text == "1.0.0", "\(what)")
        #expect(snapshot.sequence >= sequence, "event numbers went back: \(what)")
        sequence = snapshot.sequence
        #expect(try await client.stores().map(\.name) == ["shop"])
        let purchases = Set(try await client.purchases().map(\.productIdentifier))
        #expect(granted.isSubset(of: purchases), "purchases are lost: \(what)")
        granted = purchases
        try await checkHistory(during: what)
    }

    private func versionOnDisk(_ identifier: String, _ folder: String) throws -> Int? {
        let path = "\(home.path)/data/\(folder)/\(identifier).stickers"
        return FileManager.default.fileExists(atPath: path) ? try store.version(of: identifier, in: path) : nil
    }

    private func checkHistory(during what: String) async throws {
        let history = try await client.history(limit: 40)
        #expect(Set(history.map(\.operation)).count == history.count)
        for record in history {
            #expect(record.end != nil && record.endedAt != nil, "\(record): \(what)")
            if let known = operations[record.operation] { #expect(known == record, "\(what)") }
            operations[record.operation] = record
        }
    }

    /// Checks the state after all rounds.
    func finish() async throws {
        // Trash is removed when the daemon is idle; a daemon that is stopped leaves the rest to the next one.
        try await eventually { home.entries("data/trash").isEmpty }
        try await home.must("daemon", "stop")
        #expect(home.entries("data/staging").isEmpty)
        #expect(home.entries("run").isEmpty)
        var numbers: Set<UInt64> = []
        var ends: [String: Int] = [:]
        var last: (number: UInt64, connection: Int) = (0, 0)
        for seen in observer.seen {
            #expect(numbers.insert(seen.sequence).inserted, "event \(seen.sequence) came twice")
            #expect(seen.sequence > last.number, "event \(seen.sequence) came after \(last)")
            last = (seen.sequence, seen.connection)
            if seen.event["type"].text == "download",
                ["Finished", "Cancelled", "Failed"].contains(seen.event["state"].text)
            {
                ends[seen.event["operation"].text ?? "", default: 0] += 1
            }
        }
        #expect(ends.values.allSatisfy { $0 == 1 }, "an end was published twice")
        // The history returns the outcome of every operation at any later time.
        for (id, record) in operations {
            #expect(
                record.end == .finished || record.action == .rollback || record.action == .uninstall
                    || record.error != nil, "\(id): \(record)")
        }
    }
}
