import Foundation
import StoreMessages
import Testing

@testable import StoreWebPages

/// The files that pages refer to.
@Suite struct PageAssetTests {
    @Test(arguments: Language.allCases) func `the manifest of the web app is in the language of the reader`(
        language: Language
    ) throws {
        let asset = try #require(PageAsset.all["app.webmanifest"])
        let bytes = Data(asset.bytes(in: language))
        let manifest = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(manifest["lang"] as? String == language.rawValue)
        #expect(manifest["dir"] as? String == (language == .arabic ? "rtl" : "ltr"))
        #expect(manifest["name"] as? String == Messages.of(language).text("Store"))
        #expect(manifest["description"] as? String != nil && !String(decoding: bytes, as: UTF8.self).contains("[["))
        #expect(asset.isTranslated)
    }
}
