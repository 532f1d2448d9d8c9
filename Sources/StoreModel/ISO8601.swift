package import FoundationEssentials

/// A namespace for the function that parses dates such as `2026-11-21T22:28:04Z`.
package enum ISO8601 {
    /// Returns the date that a text in ISO 8601 states; `nil` for text that is no date and for a date that can't be
    /// written again (see ``Foundation/Date/representable``).
    ///
    /// Forms other than `2026-11-21T22:28:04Z` are parsed by Foundation, which is slow.
    package static func date(_ text: String) -> Date? {
        var text = text
        if let date = text.withUTF8(plain) { return date }
        // Foundation accepts years of five digits.
        guard let date = try? Date(text, strategy: .iso8601), Date.representable.contains(date) else { return nil }
        return date
    }

    private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        let pattern: StaticString = "0000-00-00T00:00:00Z"
        guard bytes.count == pattern.utf8CodeUnitCount else { return nil }
        let fits = pattern.withUTF8Buffer { pattern in
            zip(pattern, bytes).allSatisfy { sign, byte in
                sign == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : sign == byte
            }
        }
        guard fits else { return nil }
        func number(_ place: Int, _ digits: Int) -> Int {
            bytes[place..<place + digits].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        guard year > 1600, (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        // Days since 1970, by years that begin in March (howardhinnant.github.io/date_algorithms.html).
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }
}
