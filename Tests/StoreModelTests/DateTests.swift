import FoundationEssentials
import StoreModel
import Testing

@Suite struct DateTests {
    private struct Document: Codable, Equatable { var date: Date }

    @Test(arguments: [-0x1p62, -0x1p40, -1.5, 0, 1_700_000_000, 0x1p40, 0x1p55, 0x1p62, .infinity])
    func `a date of any clock is encoded so that it can be read again`(seconds: Double) throws {
        let data = try JSON.encode(Document(date: Date(timeIntervalSince1970: seconds)))
        let document = try JSON.decode(Document.self, from: data)
        #expect(try JSON.encode(document) == data)
        #expect(document.date == document.date.representable)
    }

    @Test func `a date of the years 1601 to 9999 is encoded unchanged`() throws {
        for text in ["1601-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-11-21T22:28:04Z", "9999-12-31T23:59:59Z"] {
            let data = Data(#"{"date":"\#(text)"}"#.utf8)
            #expect(try JSON.encode(JSON.decode(Document.self, from: data)) == data)
        }
    }

    @Test(arguments: [-0x1p62, -0x1p40, 0, 0x1p55, .infinity])
    func `an operation at any date has an identifier of constant length`(seconds: Double) {
        #expect(OperationID(at: Date(timeIntervalSince1970: seconds)).rawValue.utf8.count == 29)
    }
}
