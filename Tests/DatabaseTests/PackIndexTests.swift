import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreDatabase

@Suite struct PackIndexTests {
    @Test func `the index of packs follows its changes`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.replacePacks(with: (1...3).map(pack)) }
        #expect(try await database.packs() == (1...3).map(pack))
        var changed = pack(2)
        changed.size = 5
        let replacement = changed
        try await database.write {
            $0.removePack(directory: pack(1).directory)
            $0.removePack(directory: "never there")
            $0.upsert(replacement)
        }
        #expect(try await database.packs() == [replacement, pack(3)])
        try await database.write { $0.replacePacks(with: [pack(9)]) }
        #expect(try await database.packs() == [pack(9)])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `rows of any content are read as they were written`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let packs = (0..<25).map { randomPack(directory: "\($0)", using: &generator) }
        let written = packs
        try await database.write { $0.replacePacks(with: written) }
        let read = try await database.packs()
        #expect(read == packs.sorted { $0.directory < $1.directory }, "seed \(seed)")
        // Versions that compare as equal may differ in their spelling.
        #expect(
            Dictionary(uniqueKeysWithValues: read.map { ($0.directory, $0.version?.text) })
                == Dictionary(uniqueKeysWithValues: packs.map { ($0.directory, $0.version?.text) }))
    }

    @Test(arguments: [
        "archiveSHA256 = 'abc'", "namesByLanguage = '[', name = NULL", "namesByLanguage = NULL, name = NULL",
        "dependencies = '{}'", "permissions = '[1]'",
    ])
    func `a row with an invalid value is left out, and the others are read`(assignment: String) async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.replacePacks(with: (1...3).map(pack)) }
        try await database.close()
        try fixture.execute("UPDATE packs SET \(assignment) WHERE productIdentifier = 'pack2'")
        #expect(try await fixture.open().packs() == [pack(1), pack(3)])
    }

    private func randomPack(directory: String, using generator: inout SeededGenerator) -> IndexedPack {
        func chance() -> Bool { .random(using: &generator) }
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<12, using: &generator) {
                // Some functions of SQLite end text at U+0000, and no name may contain it.
                text.append(Unicode.Scalar(UInt32.random(in: 1..<0x1_1000, using: &generator)) ?? "\"")
            }
            return chance() ? String(text) : "plain \(text.count)"
        }
        let installedAt = Date(timeIntervalSince1970: Double(Int.random(in: 0...5_000_000_000, using: &generator)))
        return IndexedPack(
            directory: directory, productIdentifier: text(), kind: ProductKind(rawValue: text()),
            name: chance() ? LocalizedText(text()) : LocalizedText(byLanguage: ["de": text(), "en": text()]),
            version: chance() ? Version(text()) : nil, size: .random(in: 0...(.max), using: &generator),
            installedAt: installedAt, store: text(), operation: OperationID(rawValue: text()), isHeld: chance(),
            asDependency: chance(), price: chance() ? .free : Price("0.99 EUR"),
            dependencies: chance() ? [] : [text(), text()],
            permissions: chance() ? [] : [.code, .init(rawValue: text())],
            archive: Receipt.Archive(
                address: chance() ? "https://store.example/a%20b.zip?c=%22" : nil,
                size: .random(in: 0...(.max), using: &generator), sha256: SHA256Digest(of: Array(text().utf8)),
                etag: chance() ? text() : nil),
            receiptIsDamaged: chance(),
            receiptFile: .init(
                inode: .random(in: 0...(.max), using: &generator), size: .random(in: 0...(.max), using: &generator),
                changedAt: .random(in: 0...5e9, using: &generator)))
    }
}
