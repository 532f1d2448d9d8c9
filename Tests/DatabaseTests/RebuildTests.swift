import FoundationEssentials
import GRDB
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDatabase

/// Rebuilds of a damaged database that are interrupted, fail, or find no space.
@Suite struct RebuildTests {
    private static let purchases = 300

    /// Returns a database with purchases, history and a queued operation, all of which are readable although the file is
    /// damaged; the newest purchase is only in the journal, as a kill leaves it.
    private func damaged() async throws -> DatabaseFixture {
        let original = try DatabaseFixture()
        let database = try await original.open(now: date(1_000_000_000))
        try await database.write { changes in
            for number in 1..<Self.purchases {
                changes.grant(Purchase(productIdentifier: "paid\(number)", grantedAt: date(number)))
            }
            for number in 0..<20 {
                changes.end(record("op\(number)", at: number), as: .finished, at: date(number + 1))
            }
            changes.begin(record("queued"), plan: Data("plan".utf8))
            changes.replacePacks(with: (0..<50).map(pack))
        }
        try await database.close()
        let reopened = try await original.open(now: date(1_000_000_000))
        try await reopened.grant("newest", at: date(5))
        let fixture = try original.copyAsIfKilled()
        withExtendedLifetime(reopened) {}

        // The index of packs is overwritten, whose rows are restored from the receipts.
        let queue = try DatabaseQueue(path: original.path)
        let page = try await queue.read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'packs'")
        }
        try queue.close()
        let offset = (try #require(page) - 1) * 4096
        var bytes = try Data(contentsOf: URL(filePath: fixture.path))
        bytes.replaceSubrange(offset..<offset + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(filePath: fixture.path))
        return fixture
    }

    private func expectEverything(
        in fixture: DatabaseFixture, _ comment: Comment, location: SourceLocation = #_sourceLocation
    ) async throws {
        let database = try await fixture.open(now: date(1_000_000_000))
        #expect(try await database.purchases().count == Self.purchases, comment, sourceLocation: location)
        #expect(try await database.isPurchased("newest"), comment, sourceLocation: location)
        #expect(try await database.history(limit: 100).count == 21, comment, sourceLocation: location)
        let plans = try await database.runningOperations().map(\.plan)
        #expect(plans == [Data("plan".utf8)], comment, sourceLocation: location)
        try await database.close()
        #expect(try fixture.files.filter { $0.contains("rebuil") }.isEmpty, comment, sourceLocation: location)
        let damaged = try fixture.files.filter { $0.contains("damaged") && !$0.hasSuffix("-wal") }
        #expect(damaged == ["library.sqlite.damaged-1"], comment, sourceLocation: location)
    }

    @Test func `a rebuild that is interrupted loses nothing`() async throws {
        let fixture = try await damaged()
        let copies = Mutex<[(access: DatabaseFaults.Access, files: DatabaseFixture)]>([])
        do {
            let faults = DatabaseFaults(in: fixture.folder) { access in
                // What a kill before this access leaves.
                if access != .read, let copy = try? fixture.copy() { copies.withLock { $0.append((access, copy)) } }
                return false
            }
            try await fixture.open(now: date(1_000_000_000)).close()
            withExtendedLifetime(faults) {}
        }
        let all = copies.withLock { $0 }
        #expect(all.count { $0.access == .write } > 10)
        for (number, copy) in all.enumerated() {
            try await expectEverything(in: copy.files, "killed before access \(number), \(copy.access)")
        }
    }

    @Test(arguments: [DatabaseFaults.Access.write, .sync, .open, .truncate])
    func `a rebuild that fails loses nothing`(failing: DatabaseFaults.Access) async throws {
        let original = try await damaged()
        var (failures, faultsMet) = (0, 0)
        for first in 1... {
            let fixture = try original.copy()
            let count = Mutex(0)
            do {
                let faults = DatabaseFaults(in: fixture.folder) { access in
                    guard access == failing else { return false }
                    return count.withLock { count in
                        count += 1
                        return count >= first
                    }
                }
                do {
                    try await fixture.open(now: date(1_000_000_000)).close()
                } catch let error as StoreError {
                    failures += 1
                    if failing == .write { #expect(error.code == .noSpace, "from write \(first) on: \(error)") }
                }
                withExtendedLifetime(faults) {}
            }
            try await expectEverything(in: fixture, "from \(failing) \(first) on")
            if count.withLock({ $0 }) < first { break }
            faultsMet += 1
        }
        // SQLite goes on where it can't shorten a journal.
        #expect(faultsMet > 0 && (failures > 0 || failing == .truncate))
    }

    @Test func `a read that fails once is not taken for damage and loses nothing`() async throws {
        let healthy = try DatabaseFixture()
        let database = try await healthy.open(now: date(1_000_000_000))
        try await database.write { changes in
            for number in 0..<100 { changes.begin(record("op\(number)"), plan: Data(count: 500)) }
        }
        try await database.close()
        let damaged = try await damaged()
        var failures = 0
        for failing in 1... {
            let (fixture, other) = (try healthy.copy(), try damaged.copy())
            let opening = try await open(fixture, failingRead: failing)
            if opening.isRefused { failures += 1 }
            #expect(try fixture.files.filter { $0.contains("damaged") || $0.contains("rebuil") }.isEmpty)
            let reopened = try await fixture.open()
            #expect(try await reopened.runningOperations().count == 100, "read \(failing)")

            let rebuilding = try await open(other, failingRead: failing)
            try await expectEverything(in: other, "read \(failing)")
            if max(opening.reads, rebuilding.reads) < failing { break }
        }
        #expect(failures > 10)
    }

    /// Opens and closes a database, while one of its reads fails.
    private func open(
        _ fixture: DatabaseFixture, failingRead failing: Int
    ) async throws -> (isRefused: Bool, reads: Int) {
        let reads = Mutex(0)
        let faults = DatabaseFaults(in: fixture.folder) { access in
            guard access == .read else { return false }
            return reads.withLock { reads in
                reads += 1
                return reads == failing
            }
        }
        defer { withExtendedLifetime(faults) {} }
        do {
            try await fixture.open(now: date(1_000_000_000)).close()
            return (false, reads.withLock { $0 })
        } catch let error as StoreError {
            #expect(error.code == .databaseFailed, "read \(failing): \(error)")
            return (true, reads.withLock { $0 })
        }
    }

    /// The states between the steps of the replacement, each with the journal and then the file moved aside.
    @Test(arguments: 0...2)
    func `a rebuild is completed by the next start once its new database is complete`(moved: Int) async throws {
        let fixture = try await damaged()
        let rebuilt = try fixture.copy()
        try await rebuilt.open(now: date(1_000_000_000)).close()
        try FileManager.default.copyItem(atPath: rebuilt.path, toPath: fixture.path + ".rebuilt")
        let steps = ["-wal", ""]
        for suffix in steps.prefix(moved) {
            try FileManager.default.moveItem(
                atPath: fixture.path + suffix, toPath: fixture.path + ".damaged-1" + suffix)
        }
        try await expectEverything(in: fixture, "\(moved) moved")
        #expect(try fixture.files.contains("library.sqlite.damaged-1-wal"))
    }

    @Test func `a journal that is left of the damaged file is not replayed into the new one`() async throws {
        let fixture = try await damaged()
        #expect(try fixture.files.contains("library.sqlite-wal"))
        try await expectEverything(in: fixture, "the journal")
        #expect(try fixture.files.contains("library.sqlite.damaged-1-wal"))
    }

    @Test func `only the user can read a new and a rebuilt database`() async throws {
        let (created, damaged) = (try DatabaseFixture(), try await damaged())
        for fixture in [created, damaged] {
            let database = try await fixture.open()
            try await database.grant("a")
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + suffix)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
            }
            try await database.close()
        }
    }

    @Test func `a database counts as new until the restoration from receipts is complete`() async throws {
        let (created, damaged) = (try DatabaseFixture(), try await damaged())
        for _ in 0..<2 {
            let database = try await LibraryDatabase(path: created.path)
            #expect(database.origin == .created)
            try await database.close()
        }
        for _ in 0..<2 {
            let database = try await LibraryDatabase(path: damaged.path)
            guard case .rebuilt(let reason) = database.origin else {
                Issue.record("origin is \(database.origin)")
                return
            }
            #expect(reason.contains("library.sqlite.damaged-1"))
            try await database.close()
        }
        for fixture in [created, damaged] {
            let database = try await LibraryDatabase(path: fixture.path)
            try await database.completeRestoration()
            try await database.close()
            #expect(try await LibraryDatabase(path: fixture.path).origin == .existing)
        }
    }
}
