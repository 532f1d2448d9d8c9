import StoreMessages
import Testing

@testable import StoreTerminal

@Suite struct AmountFormatTests {
    @Test(arguments: [
        (0, "0 B"), (812, "812 B"), (999, "999 B"), (1000, "1.0 kB"), (1250, "1.3 kB"), (9949, "9.9 kB"),
        (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (34_000_000, "34 MB"), (5_000_000_000, "5.0 GB"),
        (-5, "0 B"), (Int.max, "9.2 EB"),
    ])
    func `bytes are shown with at most three digits`(count: Int, text: String) {
        #expect(AmountFormat.bytes(count) == text)
    }

    @Test func `a common unit is shown once`() {
        #expect(AmountFormat.bytes(1_200_000, of: 3_400_000) == "1.2/3.4 MB")
        #expect(AmountFormat.bytes(900_000, of: 3_400_000) == "900 kB/3.4 MB")
        #expect(AmountFormat.bytes(5, of: nil) == "5 B")
    }

    @Test(arguments: [
        (Language.german, "1,3 kB", "900 kB/3,4 MB", "1,2/3,4 MB", "1,2 MB/s"),
        (.french, "1,3 ko", "900 ko/3,4 Mo", "1,2/3,4 Mo", "1,2 Mo/s"),
        (.arabic, "1.3 كيلوبايت", "900 كيلوبايت/3.4 ميغابايت", "1.2/3.4 ميغابايت", "1.2 ميغابايت/ث"),
    ])
    func `amounts have the decimal separator and the units of the language`(
        language: Language, size: String, parts: String, common: String, rate: String
    ) {
        let messages = Messages.of(language)
        #expect(AmountFormat.bytes(1250, messages) == size)
        #expect(AmountFormat.bytes(900_000, of: 3_400_000, messages) == parts)
        #expect(AmountFormat.bytes(1_200_000, of: 3_400_000, messages) == common)
        #expect(AmountFormat.rate(1_200_000, messages) == rate)
    }

    @Test(
        arguments: [
            (0, "0s"), (0.2, "1s"), (59, "59s"), (59.5, "1m 00s"), (65, "1m 05s"), (7384, "2h 03m"),
            (277_200, "3d 05h"),
            (.infinity, "long"), (-1, "0s"),
        ] as [(Double, String)])
    func `a duration is shown in its two largest units`(seconds: Double, text: String) {
        #expect(AmountFormat.time(seconds) == text)
    }

    @Test func `only a complete download is shown as 100%`() {
        #expect(AmountFormat.percent(0.9999) == "99%")
        #expect(AmountFormat.percent(1) == "100%")
        #expect(AmountFormat.percent(7) == "100%")
        #expect(AmountFormat.percent(-1) == "0%")
    }

    @Test(arguments: 2...40) func `a bar has the requested width`(width: Int) {
        for fraction in [-1, 0, 0.3, 0.999, 1, 2] { #expect(AmountFormat.bar(fraction, width: width).count == width) }
    }

    @Test func `a bar is filled according to the fraction`() {
        #expect(AmountFormat.bar(0.5, width: 12) == "[#####-----]")
        #expect(AmountFormat.bar(1, width: 6) == "[####]")
    }
}
