import FoundationEssentials
import StoreModel
import Testing

@testable import StoreEvents

@Suite struct PublishedStateTests {
    private final class Composed: InstalledPackDescription {
        let pack: InstalledPack
        let names: LocalizedText = LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"])

        init(size: Int) {
            pack = InstalledPack(
                productIdentifier: "cups", store: "main", kind: .sticker, name: "Cups", version: nil,
                path: "/packs/cups",
                size: size, installedAt: Date(timeIntervalSince1970: 1), held: false, state: [.downloaded])
        }
    }

    @Test func `a pack that is composed when it is asked for equals the complete one`() {
        let description = Composed(size: 1)
        var composed = PublishedState.Pack(description)
        let complete = PublishedState.Pack(description.pack, names: description.names)
        #expect(composed == complete && composed.hashValue == complete.hashValue)
        #expect(composed != PublishedState.Pack(Composed(size: 2)))
        let before = composed
        composed.pack.signed = true
        #expect(composed.pack.signed == true && composed.names == description.names)
        #expect(before == complete && composed != complete)
    }
}
