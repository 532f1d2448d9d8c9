import Foundation
import StoreModel
import StoreTestSupport
import Testing

@Suite struct EventJSONTests {
    @Test func `the fast encoding of a download's status has the bytes of the general one`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let event = Event(
                sequence: random.next() >> Int.random(in: 0...63, using: &random), time: Self.date(&random),
                happening: .download(Self.status(&random)))
            let general = try JSON.encode(event)
            #expect(try event.json() == general, "\(String(decoding: general, as: UTF8.self)) (seed \(seed))")
        }
    }

    @Test func `events of other types are encoded, too`() throws {
        let event = Event(sequence: 7, time: Date(timeIntervalSince1970: 0), happening: .catalogue(store: "shop"))
        #expect(try event.json() == JSON.encode(event))
    }

    @Test(arguments: [Double.nan, .infinity]) func `a fraction that JSON does not have is an error`(fraction: Double) {
        var status = DownloadStatus(
            operation: OperationID(rawValue: "1"), action: .install, productIdentifier: "a", store: "b")
        status.fraction = fraction
        let event = Event(sequence: 1, time: .distantPast, happening: .download(status))
        #expect(throws: EncodingError.self) { try JSON.encode(event) }
        #expect(throws: EncodingError.self) { try event.json() }
    }

    // MARK: Random values

    private static func text(_ random: inout SeededGenerator) -> String {
        let parts = [
            "a", "org.example", "/", "\\", "\"", "\n", "\u{1}", "\u{7f}", "é", "\u{2028}", "😀", "", " ", "<", "'",
        ]
        return (0..<Int.random(in: 0...5, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
    }

    private static func number(_ random: inout SeededGenerator) -> Int {
        Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0...63, using: &random)
    }

    private static func date(_ random: inout SeededGenerator) -> Date {
        [
            Date(timeIntervalSince1970: Double.random(in: 0...4e9, using: &random)),
            Date(timeIntervalSince1970: Double.random(in: -1e12...1e12, using: &random)), .distantPast,
        ].randomElement(using: &random)!
    }

    private static func fraction(_ random: inout SeededGenerator) -> Double {
        [0, 1, 0.5, 1e-7, 1e21, -0.0, .random(in: 0...1, using: &random), Double(number(&random))]
            .randomElement(using: &random)!
    }

    private static func maybe<Value>(
        _ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value
    ) -> Value? { Bool.random(using: &random) ? value(&random) : nil }

    private static func status(_ random: inout SeededGenerator) -> DownloadStatus {
        var status = DownloadStatus(
            operation: OperationID(rawValue: text(&random)),
            action: OperationAction.allCases.randomElement(using: &random)!,
            productIdentifier: text(&random), kind: maybe(&random) { ProductKind(rawValue: text(&$0)) },
            store: text(&random), state: DownloadState.allCases.randomElement(using: &random)!,
            activity: maybe(&random) { DownloadActivity.allCases.randomElement(using: &$0)! },
            reason: maybe(&random, text),
            reasonCode: maybe(&random) { DownloadReason.allCases.randomElement(using: &$0)! },
            attempt: number(&random), priority: number(&random), bytesReceived: number(&random),
            error: maybe(&random) {
                ErrorReport(code: .unexpected, message: text(&$0), hint: maybe(&$0, text))
            })
        status.retryAt = maybe(&random, date)
        status.bytesExpected = maybe(&random, number)
        status.fraction = maybe(&random, fraction)
        status.rate = maybe(&random, number)
        status.secondsLeft = maybe(&random, number)
        status.source = maybe(&random, text)
        return status
    }
}
