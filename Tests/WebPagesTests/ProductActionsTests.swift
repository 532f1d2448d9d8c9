import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The buttons for a product.
@Suite struct ProductActionsTests {
    private func actions(_ kind: ProductKind, _ states: [ProductState]) -> ProductActions {
        ProductActions("org.example.a", name: "A", store: "shop", kind: kind, states: states, PageText(.english))
    }

    @Test(arguments: [(ProductKind.skin, "/actions/skin"), (.emoji, "/actions/emoji")])
    func `an installed skin or emoji set can be used, and the one in use says so`(
        kind: ProductKind, path: String
    ) throws {
        let installed = actions(kind, [.downloaded, .free])
        let button = try #require(installed.buttons.first { $0.label == "Use" })
        #expect(button.action == path && button.method == "post" && button.isMain && !button.opensDialog)
        #expect(button.fields.map(\.name) == ["identifier"] && button.fields.map(\.value) == ["org.example.a"])
        #expect(installed.state == "Installed")
        let used = actions(kind, [.inUse, .downloaded, .free])
        #expect(used.state == "In use" && !used.buttons.contains { $0.label == "Use" })
        // There is always a skin, but emoji may be those of the system.
        let end = used.buttons.first { $0.label == "Stop using" }
        #expect(kind == .emoji ? end?.action == path && end?.fields.isEmpty == true : end == nil)
    }

    @Test func `a pack placed by hand is neither held nor removed on the page of a store's product`() {
        func labels(isUnmanaged: Bool) -> [String] {
            ProductActions(
                "org.example.a", name: "A", store: "shop", kind: .sticker, states: [.downloaded], isHeld: false,
                isUnmanaged: isUnmanaged, isVerifiable: !isUnmanaged, PageText(.english)
            ).buttons.map(\.label)
        }
        #expect(labels(isUnmanaged: true) == [])
        #expect(labels(isUnmanaged: false) == ["Verify", "Hold", "Remove"])
    }

    @Test func `sticker packs, and what is not installed, can't be used`() {
        for unused in [actions(.sticker, [.downloaded]), actions(.emoji, [.free]), actions(.skin, [.free])] {
            #expect(!unused.buttons.contains { $0.label == "Use" })
        }
    }
}
