import FoundationEssentials
import StoreTestSupport
import Testing

@testable import StoreModel

@Suite struct PriceTests {
    @Test(arguments: [nil, "", " ", "0", "0.00", "0,00 EUR", "$0", "free", "Free", " FREE "])
    func `a zero price is free`(text: String?) {
        #expect(Price(text).isFree)
        #expect(Price(text) == .free)
        #expect(Price(text).description == "free")
    }

    @Test(arguments: ["0.99", "10.00 EUR", "EUR 1", "1", "ask", "freemium"])
    func `other prices are not free`(text: String) {
        #expect(!Price(text).isFree)
        #expect(Price(" \(text)\n").description == text)
    }

    @Test(arguments: [
        (#""0.99 EUR""#, "0.99 EUR"), ("0", "free"), ("0.0", "free"), ("2", "2"), ("2.5", "2.5"), ("null", "free"),
        (#""free""#, "free"), ("1e300", "1e+300"), ("-1", "-1"),
    ])
    func `a price is decoded from text, numbers and null`(json: String, text: String) throws {
        #expect(try JSON.decode([Price].self, from: Data("[\(json)]".utf8))[0].description == text)
    }

    @Test func `a price survives encoding and decoding`() throws {
        for price in [Price.free, Price("1.99 EUR")] {
            #expect(try JSON.decode([Price].self, from: JSON.encode([price])) == [price])
        }
    }
}

@Suite struct LocalizedTextTests {
    private let text = LocalizedText(byLanguage: ["": "none", "en": "cup", "pt": "chávena", "pt-BR": "xícara"])

    @Test(arguments: [
        (["pt-BR"], "xícara"), (["pt-PT"], "chávena"), (["pt_AO"], "chávena"), (["de", "en"], "cup"),
        (["de"], "none"), ([], "none"), ([""], "none"),
    ])
    func `text is in the first available language`(languages: [String], expected: String) {
        #expect(text.text(in: languages) == expected)
    }

    @Test(arguments: [
        (["ZH-hant-tw"], "繁體"), (["zh-Hant-TW", "en"], "繁體"), (["zh_Hant_HK"], "繁體"), (["zh-Hans-CN"], "中文"),
        (["zh-TW"], "臺灣"), (["EN-gb"], "cup"), (["fr", "-"], "cup"), (["pt-BR"], "exact"), (["PT-br"], "first"),
    ])
    func `languages are matched without regard to case, and lose one subtag after the other`(
        languages: [String], expected: String
    ) {
        let text = LocalizedText(byLanguage: [
            "zh": "中文", "zh-hant": "繁體", "zh-tw": "臺灣", "En": "cup", "pt-BR": "exact", "PT-BR": "first",
            "Pt-BR": "second",
        ])
        #expect(text.text(in: languages) == expected)
    }

    @Test func `text falls back to English, then to any language`() {
        #expect(LocalizedText(byLanguage: ["de": "Tasse", "en": "cup"]).text(in: ["fr"]) == "cup")
        #expect(LocalizedText(byLanguage: ["pt": "chávena", "de": "Tasse"]).text(in: ["fr"]) == "Tasse")
        #expect(LocalizedText(byLanguage: [:]).text(in: ["fr"]) == "")
    }

    @Test func `text without a language is encoded as a string`() throws {
        let plain: LocalizedText = "cup"
        #expect(String(decoding: try JSON.encode([plain]), as: UTF8.self) == #"["cup"]"#)
        for text in [plain, text, LocalizedText(byLanguage: ["en": "cup"]), LocalizedText(byLanguage: [:])] {
            #expect(try JSON.decode([LocalizedText].self, from: JSON.encode([text])) == [text])
        }
        #expect(throws: DecodingError.self) { try JSON.decode([LocalizedText].self, from: Data("[1]".utf8)) }
    }
}

@Suite struct OperationIDTests {
    @Test func `operation identifiers are unique`() {
        let now = Date()
        let names = (0..<10_000).map { _ in OperationID(at: now).rawValue }
        #expect(Set(names).count == 10_000)
    }

    @Test func `operation identifiers of the same time sort in order of creation`() {
        var generator = OperationID.Generator()
        let names = (0..<1000).map { _ in generator.next(at: Date(timeIntervalSince1970: 1_800_000_000)).rawValue }
        #expect(names == names.sorted() && names.allSatisfy { $0.count == 29 })
    }

    @Test func `operation identifiers sort by time`() {
        let times = [0, 0.001, 1, 1_700_000_000, 1_700_000_000.001, 1_800_000_000, 4_102_444_800]
        let names = times.map { OperationID(at: Date(timeIntervalSince1970: $0)).rawValue }
        #expect(names == names.sorted())
        #expect(names.allSatisfy { $0.count == 29 })
        #expect(OperationID(at: Date(timeIntervalSince1970: -5)).rawValue.hasPrefix("000000000000-"))
    }

    @Test func `any text is an operation identifier, and identifiers compare as their texts do`() {
        var random = SeededGenerator(seed: 3)
        let digits = Array("0123456789abcdefABCDEF-gé")
        var texts = ["", "-", "a", "000000000000-0000000000000000", "ffffffffffff-ffffffffffffffff"]
        for length in [28, 29, 29, 29, 30] {
            for _ in 0..<100 {
                var text = (0..<length).map { _ in digits[Int.random(in: 0..<16, using: &random)] }
                if length == 29 { text[12] = "-" }
                texts.append(String(text))
                text[Int.random(in: 0..<length, using: &random)] = digits.randomElement(using: &random)!
                texts.append(String(text))
            }
        }
        texts += (0..<100).map { _ in OperationID().rawValue }
        #expect(texts.allSatisfy { OperationID(rawValue: $0).rawValue == $0 })
        #expect(Set(texts.map(OperationID.init)).count == Set(texts).count)
        #expect(texts.map(OperationID.init).sorted().map(\.rawValue) == texts.sorted())
        let created = OperationID()
        #expect(OperationID(rawValue: created.rawValue) == created)
        // A later time counts as the end of the year 9999, whose milliseconds have 12 digits.
        #expect(OperationID(at: Date(timeIntervalSince1970: 1e15)).rawValue.count == 29)
    }

    @Test func `an operation identifier is encoded as a string`() throws {
        let operation = OperationID(rawValue: "0001-abc")
        #expect(String(decoding: try JSON.encode([operation]), as: UTF8.self) == #"["0001-abc"]"#)
        #expect(try JSON.decode([OperationID].self, from: JSON.encode([operation])) == [operation])
    }
}

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, and the empty text.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `hashes of known texts have the published values`(text: String, hex: String) {
        #expect(SHA256Digest(of: text.utf8).hex == hex)
        #expect(SHA256Digest(hex: hex) == SHA256Digest(of: text.utf8))
        #expect(SHA256Digest(hex: hex.uppercased()) == SHA256Digest(of: text.utf8))
    }

    @Test func `hashing in chunks gives the hash of the whole`() {
        var hasher = SHA256Hasher()
        for _ in 0..<1000 { hasher.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        // A million times `a`, from the examples of FIPS 180-4, and finalized twice.
        let hex = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(hasher.finalize().hex == hex)
        #expect(hasher.finalize().hex == hex)
    }

    /// The value is that of Go's `dirhash.Hash1`, and of `sha256sum` over the output of `sha256sum`.
    @Test func `the hash of a list of files is that of its lines in the order of the paths' bytes`() {
        let files = ["b/c": "2", "a.png": "1", "B": "3", "é": "4"].map { path, content in
            Receipt.File(path: path, size: 1, sha256: SHA256Digest(of: content.utf8))
        }
        let hex = "c44e7f4fcbd5a64e738815ab7a9b719a95272b6dc4be731df10e4bdffe7a3f13"
        for _ in 0..<4 { #expect(SHA256Digest(ofFiles: files.shuffled()).hex == hex) }
    }

    @Test(arguments: [
        "", "abc", String(repeating: "g", count: 64), String(repeating: "0", count: 63),
        String(repeating: "0", count: 65), String(repeating: "é", count: 32), String(repeating: "０", count: 64),
    ])
    func `an invalid digest is rejected`(text: String) throws {
        #expect(SHA256Digest(hex: text) == nil)
        #expect(throws: DecodingError.self) {
            try JSON.decode([SHA256Digest].self, from: JSON.encode([text]))
        }
    }
}

@Suite struct ProductStateTests {
    @Test func `product states are ordered for display`() {
        let order = [
            "Downloading", "In Use", "Downloaded", "Purchased", "Not Purchased", "Free", "Updatable", "Withdrawn",
        ]
        #expect(ProductState.allCases.shuffled().sorted().map(\.rawValue) == order)
    }
}

@Suite struct CheckedSumTests {
    @Test func `a sum is nil exactly if no integer can hold it`() {
        #expect([Int]().checkedSum == 0)
        #expect([3, -1, 5].checkedSum == 7)
        #expect([Int.max - 1, 1].checkedSum == .max)
        #expect([Int.max, 1].checkedSum == nil)
        #expect([1, .max, .min].checkedSum == nil, "each partial sum counts")
    }
}
