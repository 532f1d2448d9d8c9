import Foundation
import StoreModel
import Testing

@Suite struct SearchTextTests {
    @Test(arguments: [0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FA, 0xC0...0x17F] as [ClosedRange<UInt32>])
    func `characters are the same whether composed or not`(characters: ClosedRange<UInt32>) {
        let different = characters.compactMap(Unicode.Scalar.init).map { String($0) }.filter { text in
            let forms = [text, text.decomposedStringWithCanonicalMapping].map { Array(SearchText.folded($0).utf8) }
            return forms[0] != forms[1]
        }
        #expect(different == [])
    }

    @Test func `parts of syllables that belong to no other character stay`() {
        for text in ["\u{1100}", "\u{1161}\u{1100}", "か", "\u{3099}", "ま\u{3099}", "a\u{1161}"] {
            #expect(Array(SearchText.folded(text).unicodeScalars) == Array(text.unicodeScalars))
        }
    }
}
