import Foundation
import GRDBSQLite
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// Tests a long queue while the daemon is killed repeatedly.
@Suite(.serialized, .hangGuard) struct QueueTests {
    /// The number of downloads; `scripts/test --long` sets 10,000.
    static let count = ProcessInfo.processInfo.environment["STORECTL_TEST_QUEUE"].flatMap { Int($0) } ?? 600
    static let kills = count >= 10_000 ? 10 : 3
    static let atOnce = 200

    @Test func `whenever the daemon is killed, each queued operation ends once, completely, in bounded memory`()
        async throws
    {
        let queue = try await QueueRun()
        print("queue: seed \(queue.random.seed) (STORECTL_TEST_SEED does it again)")
        try await queue.fill()
        for number in 1...Self.kills { try await queue.kill(number) }
        try await queue.askAgain()
        try await queue.drain()
        try await queue.check()
        print(
            "queue: \(Self.count) downloads, \(queue.mostMemory >> 20) MB and \(queue.mostDescriptors) descriptors at most"
        )
    }
}

private final class QueueRun {
    private let origin: Origin
    private let home: TestHome
    private let client: StoreClient
    var random = KillRandom()
    /// The maximum over all daemons and measurements.
    private(set) var mostMemory = 0
    private(set) var mostDescriptors = 0
    /// The busy products for which a command succeeded: each must have an operation in the history.
    private var accepted: Set<String> = []

    /// Products that are installed, uninstalled and installed again during the run.
    private static let busy = (0..<8).map { "busy\($0)" }
    private static let queued = (0..<QueueTests.count).map { String(format: "queued%05d", $0) }

    init() async throws {
        origin = try Origin()
        home = try TestHome(settings: [
            "STORECTL_DAEMON_IDLE_TIMEOUT": "0", "STORECTL_NETWORK_CONNECTIONS_PER_HOST": "32",
            "STORECTL_CATALOGUE_REFRESH_AFTER": "3600", "STORECTL_LOG_LEVEL": "error",
        ])
        let places = try HomePaths(
            HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home.path)
        client = StoreClient(home: places, startingDaemon: .never)
        var products: [[String: Any]] = []
        for (number, id) in (Self.queued + Self.busy).enumerated() {
            let archive = Self.archive(number)
            origin.serve("/\(id).zip", archive)
            products.append(StoreDocuments.product(id, archive: archive, at: "/\(id).zip"))
        }
        StoreDocuments.formatTwo(products, on: origin)
    }

    private static func archive(_ number: Int) -> [UInt8] { StoreDocuments.pack(UInt64(number), size: size(number)) }
    private static func size(_ number: Int) -> Int { 200 + number % 1000 }

    // MARK: The run

    /// Queues all downloads while only one transfer is possible, so that the queue has its full length.
    func fill() async throws {
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("config", "set", "downloads.maximumAtOnce", "1")
        for start in stride(from: 0, to: Self.queued.count, by: 500) {
            let part = Self.queued[start..<min(start + 500, Self.queued.count)]
            let result = try await Programs.run(
                "storectl", ["install", "--no-wait", "--quiet"] + part, environment: home.environment)
            try #require(result.exit == 0, "\(result)")
            look()
        }
        try await home.must("config", "set", "downloads.maximumAtOnce", "\(QueueTests.atOnce)")
    }

    /// Kills the daemon at a random number of installed packs, and starts it again.
    func kill(_ number: Int) async throws {
        let share = QueueTests.count / (QueueTests.kills + 1)
        let wanted = Int.random(in: (number - 1) * share..<number * share, using: &random)
        try await wait { self.installed >= wanted }
        let asking = try Self.busy.flatMap { id in
            try [["install", id, "--no-wait"], ["uninstall", id], ["install", id, "--no-wait"]].map {
                (id, try Programs.start("storectl", $0, environment: home.environment))
            }
        }
        await home.killDaemon()
        // Some commands may have started the next daemon already.
        try await home.must("daemon", "start")
        for (id, program) in asking {
            let result = try await program.result()
            // Success, nothing to uninstall, a conflict, or a daemon that was killed.
            #expect([0, 3, 4, 7, 8].contains(result.exit), "\(result)")
            if result.exit == 0 { accepted.insert(id) }
        }
    }

    /// Installs the busy products whose commands all failed because the daemon was killed before it responded.
    func askAgain() async throws {
        for id in Self.busy where !accepted.contains(id) { try await home.must("install", id, "--no-wait") }
    }

    /// Waits until no download is left.
    func drain() async throws {
        try await wait { self.installed >= QueueTests.count }
        while try await client.downloads().contains(where: { $0.end == nil }) {
            look()
            // The response also contains ended downloads.
            try await Task.sleep(for: .milliseconds(500))
        }
        try await eventually { home.entries("data/trash") == [] }
    }

    private func wait(until isMet: () -> Bool) async throws {
        while !isMet() {
            look()
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func look() {
        guard let facts = home.daemonPID.flatMap({ ProcessFacts($0) }) else { return }
        mostMemory = max(mostMemory, facts.memory)
        mostDescriptors = max(mostDescriptors, facts.descriptors)
    }

    /// The number of pack directories; read without sorting, because it is polled.
    private var installed: Int {
        guard let folder = opendir(home.path + "/data/packs") else { return 0 }
        defer { closedir(folder) }
        var count = -2
        while readdir(folder) != nil { count += 1 }
        return count
    }

    // MARK: What must hold

    func check() async throws {
        #expect(home.entries("data/staging") == [])
        #expect(home.entries("cache/partial") == [])
        for (number, id) in Self.queued.enumerated() {
            let files = home.files(of: id + ".stickers")
            let seed = UInt64(number)
            #expect(
                files == [
                    "a.png": TestStore.bytes(Self.size(number), seed: seed), "b.png": TestStore.bytes(50, seed: seed),
                ], "\(id)")
        }
        try await home.must("daemon", "stop")
        let operations = try operations()
        for id in Self.queued {
            #expect(
                operations[id]?.map(\.end) == ["finished"], "\(id) ended otherwise than once: \(operations[id] ?? [])")
        }
        for id in Self.busy {
            let all = operations[id] ?? []
            #expect(!all.isEmpty, "\(id) has no operation although a command succeeded")
            for (before, after) in zip(all, all.dropFirst()) {
                #expect(before.endedAt <= after.startedAt, "\(id): \(after) began before the end of \(before)")
            }
            // A download goes on after a kill, and an uninstallation that had not changed anything yet does not.
            #expect(
                all.allSatisfy {
                    $0.end == "finished"
                        || $0.action == "uninstall" && $0.end == "failed" && $0.error == .operationInterrupted
                }, "\(all)")
        }
        // For each running download: archive, record, staging directories, connection; and the daemon's own
        // descriptors.
        #expect(mostDescriptors > 0 && mostDescriptors < 8 * QueueTests.atOnce + 200)
        #expect(mostMemory > 0, "measured at least once")
        // Running downloads are limited, and waiting ones use little memory.
        #expect(!Sanitizers.canCheckMemory() || mostMemory < 128 << 20 + QueueTests.count * 13 << 10)
    }

    private struct Noted: CustomStringConvertible {
        let action: String
        let end: String?
        let error: ErrorCode?
        let startedAt: Int64
        let endedAt: Int64
        var description: String {
            "\(action) \(startedAt) to \(endedAt): \(end ?? "no end")\(error.map { " (\($0.rawValue))" } ?? "")"
        }
    }

    /// Returns all operations by product in order of their start, from the database, because a response is limited.
    private func operations() throws -> [String: [Noted]] {
        var database: OpaquePointer?
        try #require(
            sqlite3_open_v2(home.path + "/data/library.sqlite", &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        let sql = "SELECT productIdentifier, action, outcome, startedAt, endedAt, error FROM operations ORDER BY number"
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var operations: [String: [Noted]] = [:]
        func text(_ column: Int32) -> String? { sqlite3_column_text(statement, column).map { String(cString: $0) } }
        while sqlite3_step(statement) == SQLITE_ROW {
            let error = try text(5).map { try JSONDecoder().decode(ErrorReport.self, from: Data($0.utf8)) }
            operations[text(0) ?? "", default: []].append(
                Noted(
                    action: text(1) ?? "", end: text(2), error: error?.code,
                    startedAt: sqlite3_column_int64(statement, 3), endedAt: sqlite3_column_int64(statement, 4)))
        }
        return operations
    }
}
