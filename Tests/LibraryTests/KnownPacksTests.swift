import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreLibrary

@Suite struct KnownPacksTests {
    private static func entry(_ folder: String, of product: String, isInstalled: Bool) -> LibraryEntry {
        let origin = LibraryPack.Origin(
            store: "main", operation: OperationID(), held: false, asDependency: false, price: Price(nil),
            dependencies: [], permissions: [],
            archive: Receipt.Archive(address: nil, size: 1, sha256: SHA256Digest(of: []), etag: nil))
        let pack = LibraryPack(
            folder: folder, productIdentifier: product, kind: .thing, name: LocalizedText(product), version: nil,
            size: 1, installedAt: Date(timeIntervalSince1970: 1), origin: isInstalled ? origin : nil,
            receiptIsDamaged: false)
        return LibraryEntry(pack)
    }

    /// An installed pack is in the directory of its product; one that was placed by hand may name any product.
    @Test func `the packs of a product are found after any changes`() {
        var random = SeededGenerator(seed: 11)
        let products = (0..<4).map { "p\($0)" }
        var (known, expected) = (KnownPacks([:]), [String: LibraryEntry]())
        for round in 0..<3_000 {
            let product = products.randomElement(using: &random)!
            let folder = product + ".thing"
            let entry: LibraryEntry? =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: nil
                case 1: Self.entry(folder, of: product, isInstalled: true)
                default: Self.entry(folder, of: products.randomElement(using: &random)!, isInstalled: false)
                }
            (known[folder], expected[folder]) = (entry, entry)
            if round % 100 == 99 { known.replaceAll(with: expected) }
            for product in products {
                let found = known.packs(of: product, directories: [product + ".thing"]).map(\.folder).sorted()
                #expect(found == expected.filter { $0.value.pack.isOf(product) }.keys.sorted())
            }
        }
    }
}
