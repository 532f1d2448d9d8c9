import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDatabase

@Suite struct DamageTests {
    /// Creates a closed database with many pages of operations, some purchases, and event numbers far ahead of the
    /// clock.
    private func filled() async throws -> (DatabaseFixture, given: Range<UInt64>) {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open(now: date(2_000_000_000))
        try await database.write { changes in
            for number in 0..<2000 {
                changes.end(record("op\(number)", at: number), as: .finished, at: date(number + 1))
            }
            changes.begin(record("running"), plan: Data("plan".utf8))
            changes.upsert(pack(1))
        }
        for number in 0..<20 { try await database.grant("paid\(number)", at: date(number)) }
        let given = try await database.reserveSequence(100)
        try await database.close()
        return (fixture, given)
    }

    private func reason(_ database: LibraryDatabase) -> String? {
        if case .rebuilt(let reason) = database.origin { reason } else { nil }
    }

    @Test func `a file that is no database is renamed and replaced`() async throws {
        let fixture = try DatabaseFixture()
        let noise = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 + $0 / 7) })
        try noise.write(to: URL(filePath: fixture.path))
        let database = try await fixture.open()
        #expect(try #require(reason(database)).contains("damaged-1"))
        #expect(try Data(contentsOf: URL(filePath: fixture.path + ".damaged-1")) == noise)
        try await database.grant("a")
        try await database.close()
        #expect(try await fixture.open().origin == .existing)
    }

    @Test func `a page that can't be read is reported as such, and not as damage`() async throws {
        let (fixture, _) = try await filled()
        let fails = Mutex(false)
        let faults = DatabaseFaults(in: fixture.folder) { access in access == .read && fails.withLock { $0 } }
        defer { withExtendedLifetime(faults) {} }
        let database = try await fixture.open(now: date(2_000_000_000))
        fails.withLock { $0 = true }
        let error = try await #require(throws: StoreError.self) { try await database.history(limit: 2100) }
        #expect(error.code == .databaseFailed && error.message.contains("could not read the database"), "\(error)")
        fails.withLock { $0 = false }
        #expect(try await database.history(limit: 2100).count == 2001)
        #expect(try await fixture.open(now: date(2_000_000_000)).origin == .existing)
    }

    @Test func `an empty file is a new database`() async throws {
        let fixture = try DatabaseFixture()
        try Data().write(to: URL(filePath: fixture.path))
        #expect(try await fixture.open().origin == .created)
    }

    @Test func `an overwritten page loses only its own rows`() async throws {
        let (fixture, given) = try await filled()
        var bytes = try Data(contentsOf: URL(filePath: fixture.path))
        let pages = bytes.count / 4096
        #expect(pages > 40)
        let damaged = pages / 2
        bytes.replaceSubrange(damaged * 4096..<(damaged + 1) * 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(filePath: fixture.path))

        let database = try await fixture.open(now: date(1_000_000_000))
        #expect(reason(database) != nil)
        #expect(try await database.purchases().count == 20)
        #expect(try await database.packs().isEmpty)
        #expect(try await database.reserveSequence(1).lowerBound >= given.upperBound)
        // The rows on both sides of the damage are intact and in order.
        let history = try await database.history(limit: 5000)
        #expect(history.count > 1500 && history.count < 2001)
        #expect(history.first?.operation.rawValue == "running")
        #expect(history.last?.operation.rawValue == "op0")
        #expect(history.dropFirst().map(\.startedAt) == history.dropFirst().map(\.startedAt).sorted(by: >))
        #expect(try await database.runningOperations().map(\.plan) == [Data("plan".utf8)])
    }

    @Test(arguments: [100, 4096, 10_000, 100_000])
    func `a truncated file is rebuilt`(size: Int) async throws {
        let (fixture, _) = try await filled()
        let bytes = try Data(contentsOf: URL(filePath: fixture.path))
        try bytes.prefix(size).write(to: URL(filePath: fixture.path))
        let database = try await fixture.open()
        #expect(reason(database) != nil)
        try await database.grant("a")
        #expect(try await database.isPurchased("a"))
    }

    /// Whatever bytes are overwritten, opening results in a working database.
    @Test(arguments: 1...25 as ClosedRange<UInt64>)
    func `damage anywhere leads to a working database`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (fixture, _) = try await filled()
        var bytes = try Data(contentsOf: URL(filePath: fixture.path))
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let length = min(Int.random(in: 1...600, using: &generator), bytes.count - place)
            for offset in 0..<length { bytes[place + offset] = .random(in: 0...255, using: &generator) }
        }
        try bytes.write(to: URL(filePath: fixture.path))
        let database = try await fixture.open()
        _ = try await database.history(limit: 5000)
        _ = try await database.packs()
        _ = try await database.installingOperations { _ in true }
        try await database.write { $0.begin(record("new\(seed)"), plan: Data()) }
        #expect(try await database.operation(OperationID(rawValue: "new\(seed)")) != nil, "seed \(seed)")
    }

    @Test func `only the newest two damaged files are kept`() async throws {
        let fixture = try DatabaseFixture()
        for number in 1...4 {
            try Data(repeating: UInt8(number), count: 9000).write(to: URL(filePath: fixture.path))
            try await fixture.open().close()
        }
        #expect(try fixture.files == ["library.sqlite", "library.sqlite.damaged-3", "library.sqlite.damaged-4"])
        #expect(try Data(contentsOf: URL(filePath: fixture.path + ".damaged-4")).first == 4)
    }

    @Test func `missing tables are created again`() async throws {
        let fixture = try DatabaseFixture()
        try await fixture.open().close()
        try fixture.execute("DROP TABLE packs; DROP TABLE sequence")
        let database = try await fixture.open()
        #expect(reason(database) != nil)
        try await database.write { $0.upsert(pack(1)) }
    }

    @Test func `a directory in the database's place is refused and stays`() async throws {
        let fixture = try DatabaseFixture()
        try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
        await #expect { try await fixture.open() } throws: { ($0 as? StoreError)?.code == .databaseDenied }
        #expect(try fixture.files == ["library.sqlite"])
    }

    @Test func `a missing directory is not taken for damage`() async throws {
        await #expect {
            try await LibraryDatabase(path: "/nonexistent/library.sqlite")
        } throws: { ($0 as? StoreError)?.code == .databaseDenied }
    }
}
