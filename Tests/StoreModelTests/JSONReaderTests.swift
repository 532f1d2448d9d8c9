import FoundationEssentials
import Testing

@testable import StoreModel

@Suite struct JSONReaderTests {
    /// Compares both decoders for 500 random packs.
    @Test func `a pack is read as Codable reads it`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let pack = Self.pack(&generator)
            for pretty in [false, true] {
                let data = try JSON.encode(pack, pretty: pretty)
                let read = try JSON.read(InstalledPack.self, from: data)
                let decoded = try JSON.decode(InstalledPack.self, from: data)
                #expect(read == decoded && read.version?.text == decoded.version?.text)
                #expect(try JSON.encode(read) == JSON.encode(pack))
            }
        }
    }

    private static func pack(_ generator: inout some RandomNumberGenerator) -> InstalledPack {
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<12, using: &generator) {
                text.append(Unicode.Scalar(UInt32.random(in: 0..<0x1_1000, using: &generator)) ?? "\"")
            }
            return Bool.random(using: &generator) ? String(text) : "plain \(text.count)"
        }
        return InstalledPack(
            productIdentifier: text(), store: Bool.random(using: &generator) ? text() : nil,
            operation: Bool.random(using: &generator) ? OperationID() : nil, kind: ProductKind(rawValue: text()),
            name: text(), version: Bool.random(using: &generator) ? Version(text()) : nil, path: text(),
            size: .random(in: 0...(.max), using: &generator),
            installedAt: Date(
                timeIntervalSince1970: Double(Int.random(in: -5_000_000_000...20_000_000_000, using: &generator))),
            held: .random(using: &generator), permissions: [.code, Permission(rawValue: text())],
            dependencies: (0..<Int.random(in: 0..<3, using: &generator)).map { _ in text() },
            state: ProductState.allCases.filter { _ in Bool.random(using: &generator) })
    }

    @Test func `members are read in any order and unknown ones are ignored`() throws {
        let text = #"""
             { "state" : [ "In Use" ] , "more":{"a":[1,-2.5e3,true,null,"x\\"],"b":{}},"held":true,"dependencies":["b"],"size":7,"next":[],
              "path":"/p","permissions":[],"installedAt":"2026-02-28T23:59:59Z","version":null,"name":"\u00e9\ud83d\ude42\/",
              "kind":"skin","operation":null,"store":null,"productIdentifier":"a" }
            """#
        let pack = try JSON.read(InstalledPack.self, from: Data(text.utf8))
        #expect(pack == (try JSON.decode(InstalledPack.self, from: Data(text.utf8))))
        #expect(pack.name == "é🙂/" && pack.state == [.inUse] && pack.size == 7)
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null", #"{"productIdentifier":1}"#, #"{"state":["Strange"]}"#, #"{"name":"\x"}"#,
        #"{"name":"\ud83d"}"#, #"{"name":"\ud83d\u0041"}"#, #"{"name":"\u12"}"#, #"{"name":"\"#, #"{"name" "a"}"#,
        #"{"name":"a" "kind":"b"}"#, #"{"name":"a",}"#, #"{"size":1.5}"#, #"{"size":99999999999999999999}"#,
        #"{"installedAt":"2026-02-30T00:00:00Z"}"#, #"{"installedAt":"yesterday"}"#, #"{"held":tru}"#, #"{"x":nul}"#,
        "{\"name\":\"a\nb\"}", "{\"name\":\"a", String(repeating: "[", count: 100_000),
        "{\"x\":" + String(repeating: "[", count: 100_000),
    ])
    func `a malformed pack is rejected`(text: String) {
        #expect(throws: JSONReader.Malformed.self) { try JSON.read(InstalledPack.self, from: Data(text.utf8)) }
    }

    @Test func `invalid UTF-8 is rejected`() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            let data = Data("{\"name\":\"".utf8) + bytes + Data("\"}".utf8)
            #expect(throws: JSONReader.Malformed.self) { try JSON.read(InstalledPack.self, from: data) }
        }
    }

    @Test func `trailing data is rejected`() throws {
        let data = try JSON.encode([Permission.code])
        let permission = try JSON.read(Permission.self, from: data.dropFirst().dropLast())
        #expect(permission == .code)
        #expect(throws: JSONReader.Malformed.self) {
            try JSON.read(Permission.self, from: data.dropFirst().dropLast() + Data(" x".utf8))
        }
    }

    /// Tests each day of four hundred years, after which the calendar repeats.
    @Test func `times are read as Foundation reads them`() throws {
        for day in 0..<146_097 {
            let date = Date(timeIntervalSince1970: Double(day * 86_400 + day % 86_400))
            #expect(ISO8601.date(date.formatted(.iso8601)) == date)
        }
    }

    @Test(arguments: ["10000-01-01T00:00:00Z", "20210-03-14T05:13:45Z", "1600-12-31T23:59:59Z", "0000-01-01T00:00:00Z"])
    func `a time that can't be written again is rejected`(text: String) throws {
        #expect(ISO8601.date(text) == nil)
        #expect(throws: DecodingError.self) { try JSON.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) }
    }

    @Test(arguments: [
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:01Z", "", "2026",
    ])
    func `an invalid time is rejected`(text: String) {
        #expect(ISO8601.date(text) == (try? Date(text, strategy: .iso8601)))
    }
}
