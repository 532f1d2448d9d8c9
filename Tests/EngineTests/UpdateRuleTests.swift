import FoundationEssentials
import StoreLibrary
import StoreModel
import Testing

@testable import StoreEngine

@Suite struct UpdateRuleTests {
    @Test(arguments: [
        ("1.0.0", "2.0.0", true), ("1.0.0", "2.0.0-beta.1", false), ("1.0.0-beta.1", "1.0.0-beta.2", true),
        ("1.0.0-beta.1", "2.0.0-alpha", true), ("1.0.0-beta.1", "1.0.0", true), ("1.0.0-beta.2", "1.0.0-beta.1", false),
        // Not semantic versions, of which no part says that they are not finished.
        ("1.0", "2.0-1", true),
    ])
    func `a pre-release is only newer than a pre-release`(installed: String, offered: String, isNewer: Bool) {
        #expect(UpdateRule.isNewer(product(offered), than: pack(installed)) == isNewer)
    }

    @Test func `a pre-release is not newer than a pack whose version is unknown`() {
        #expect(UpdateRule.isNewer(product("2.0.0"), than: pack(nil)))
        #expect(!UpdateRule.isNewer(product("2.0.0-beta.1"), than: pack(nil)))
    }

    private func product(_ version: String) -> ProductItem {
        ProductItem(productIdentifier: "a", kind: .sticker, productName: "A", version: Version(version))
    }

    private func pack(_ version: String?) -> LibraryPack {
        let archive = Receipt.Archive(address: nil, size: 1, sha256: SHA256Digest(of: [UInt8]()), etag: nil)
        let origin = LibraryPack.Origin(
            store: "main", operation: OperationID(), held: false, asDependency: false, price: .free, dependencies: [],
            permissions: [], archive: archive)
        return LibraryPack(
            folder: "a.stickers", productIdentifier: "a", kind: .sticker, name: "A",
            version: version.map { Version($0) }, size: 1, installedAt: Date(timeIntervalSince1970: 0), origin: origin,
            receiptIsDamaged: false)
    }
}
