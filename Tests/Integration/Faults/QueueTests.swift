import Foundation
import GRDBSQLite
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// A queue far longer than what runs at once, and a daemon that is killed in the middle of it.
@Suite(.serialized, .hangGuard) struct QueueTests {
    /// How many downloads; `scripts/test --long` takes 10,000.
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
    /// Of all daemons, at any time that was looked at.
    private(set) var mostMemory = 0
    private(set) var mostDescriptors = 0

    /// Installed, uninstalled and installed again while the rest comes.
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
            products.append(Written.product(id, archive: archive, at: "/\(id).zip"))
        }
        Written.formatTwo(products, on: origin)
    }

    private static func archive(_ number: Int) -> [UInt8] { Written.pack(UInt64(number), size: size(number)) }
    private static func size(_ number: Int) -> Int { 200 + number % 1000 }

    // MARK: The run

    /// One at a time is let through until all are queued, so that the queue is as long as it is meant to be.
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

    /// Kills the daemon when a number of packs is there that nobody could foretell, and starts it again.
    func kill(_ number: Int) async throws {
        let share = QueueTests.count / (QueueTests.kills + 1)
        let wanted = Int.random(in: (number - 1) * share..<number * share, using: &random)
        try await wait { self.installed >= wanted }
        let asking = try Self.busy.flatMap { id in
            try [["install", id, "--no-wait"], ["uninstall", id], ["install", id, "--no-wait"]].map {
                try Programs.start("storectl", $0, environment: home.environment)
            }
        }
        await home.killDaemon()
        // Some of them may have started the next one already.
        try await home.must("daemon", "start")
        for program in asking {
            let result = try await program.result()
            // Done, nothing there to uninstall, in the way of another; or the daemon was killed at the wrong moment.
            #expect([0, 3, 4, 7, 8].contains(result.exit), "\(result)")
        }
    }

    /// Waits until nothing runs any more.
    func drain() async throws {
        try await wait { self.installed >= QueueTests.count }
        while try await client.downloads().contains(where: { $0.end == nil }) {
            look()
            // The answer tells of all that ended, too.
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

    /// How many folders there are; read without their names being sorted, because it is asked often.
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
            #expect(!all.isEmpty)
            for (before, after) in zip(all, all.dropFirst()) {
                #expect(before.endedAt <= after.startedAt, "\(id): \(after) began before the end of \(before)")
            }
            #expect(all.allSatisfy { $0.end == "finished" || $0.end == "failed" }, "\(all)")
        }
        // For each that runs: its archive, the note beside it, its folders in staging, a connection; and the daemon's own.
        #expect(mostDescriptors < 8 * QueueTests.atOnce + 200)
        // What runs is bounded, and one that only waits costs little.
        #expect(Sanitizers.areEnabled || mostMemory < 128 << 20 + QueueTests.count * 13 << 10)
    }

    private struct Noted: CustomStringConvertible {
        let action: String
        let end: String?
        let startedAt: Int64
        let endedAt: Int64
        var description: String { "\(action) \(startedAt) to \(endedAt): \(end ?? "no end")" }
    }

    /// All operations by product, in the order begun; from the database itself, which has more than an answer may hold.
    private func operations() throws -> [String: [Noted]] {
        var database: OpaquePointer?
        try #require(
            sqlite3_open_v2(home.path + "/data/library.sqlite", &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        let sql = "SELECT productIdentifier, action, outcome, startedAt, endedAt FROM operations ORDER BY number"
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var operations: [String: [Noted]] = [:]
        func text(_ column: Int32) -> String? { sqlite3_column_text(statement, column).map { String(cString: $0) } }
        while sqlite3_step(statement) == SQLITE_ROW {
            operations[text(0) ?? "", default: []].append(
                Noted(
                    action: text(1) ?? "", end: text(2), startedAt: sqlite3_column_int64(statement, 3),
                    endedAt: sqlite3_column_int64(statement, 4)))
        }
        return operations
    }
}
