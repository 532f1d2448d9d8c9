import FoundationEssentials
import StoreModel
import Testing

@testable import StoreLibrary

@Suite("The index of a library") struct EntryReadingTests {
    private var generator = SystemRandomNumberGenerator()

    /// Whatever is known of a pack, what Codable writes is read as Codable reads it: for 500 entries made at random.
    @Test mutating func isReadAsCodableReadsIt() throws {
        for _ in 0..<500 {
            let entry = entry()
            let data = try JSON.encode(entry)
            let read = try JSON.read(LibraryEntry.self, from: data)
            #expect(read == entry && read.pack.version?.text == entry.pack.version?.text)
            #expect(try JSON.decode(LibraryEntry.self, from: data) == entry)
        }
    }

    @Test mutating func whatLacksAMemberIsRefused() throws {
        for name in [
            "folder", "kind", "name", "size", "installedAt", "sha256", "operation", "inode", "receiptIsDamaged",
        ] {
            var entry = entry()
            entry.stamp = LibraryEntry.Stamp(inode: 1, size: 2, modifiedAt: 3)
            entry.pack.origin = origin()
            let text = String(decoding: try JSON.encode(entry), as: UTF8.self)
            let without = text.replacing("\"\(name)\":", with: "\"other\":")
            #expect(without != text)
            #expect(throws: JSONReader.Malformed.self, "\(name)") {
                try JSON.read(LibraryEntry.self, from: Data(without.utf8))
            }
        }
    }

    private mutating func chance() -> Bool { .random(using: &generator) }

    private mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            text.append(Unicode.Scalar(UInt32.random(in: 0..<0x1_1000, using: &generator)) ?? "\"")
        }
        return chance() ? String(text) : "plain \(text.count)"
    }

    private mutating func entry() -> LibraryEntry {
        let name = chance() ? LocalizedText(text()) : LocalizedText(byLanguage: ["de": text(), "en": text()])
        // Dates are written to the second.
        let installedAt = Date(timeIntervalSince1970: Double(Int.random(in: 0...5_000_000_000, using: &generator)))
        let pack = LibraryPack(
            folder: text(), productIdentifier: text(), kind: ProductKind(rawValue: text()), name: name,
            version: chance() ? Version(text()) : nil, size: .random(in: 0...(.max), using: &generator),
            installedAt: installedAt, origin: chance() ? origin() : nil, receiptIsDamaged: chance())
        let stamp = LibraryEntry.Stamp(
            inode: .random(in: 0...(.max), using: &generator), size: 7,
            modifiedAt: .random(in: 0...5e9, using: &generator))
        return LibraryEntry(pack: pack, stamp: chance() ? stamp : nil)
    }

    private mutating func origin() -> LibraryPack.Origin {
        LibraryPack.Origin(
            store: text(), operation: OperationID(), held: chance(), price: chance() ? .free : Price("0.99 EUR"),
            dependencies: chance() ? [] : [text(), text()],
            permissions: chance() ? [] : [.code, .init(rawValue: text())],
            archive: Receipt.Archive(
                url: chance() ? URL(string: "https://store.example/a%20b.zip?c=\"") : nil, size: 5,
                sha256: SHA256Digest(of: Array(text().utf8)), etag: chance() ? text() : nil))
    }
}
