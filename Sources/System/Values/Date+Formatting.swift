package import FoundationEssentials
import Glibc

extension Date {
    /// The date in the one format that HTTP messages may contain (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpFormatted: String {
        var seconds = time_t(representable.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        // The programs never set a locale, so the names are the English ones that the format asks for.
        return formatted(&parts, "%a, %d %b %Y %H:%M:%S GMT")
    }

    /// The year, month (1 to 12) and day of the month in UTC; `nil` of a date that is too far away for the C library.
    ///
    /// Unlike Foundation's calendar, this also works in a confined process, which can't look for the time zone.
    package var dayInUTC: (year: Int, month: Int, day: Int)? {
        guard var seconds = time_t(exactly: timeIntervalSince1970.rounded(.down)) else { return nil }
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return nil }
        return (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    }

    /// Returns the date as text in the machine's time zone.
    ///
    /// - Parameter format: the format, in the syntax of strftime(3).
    package func localFormatted(_ format: String) -> String {
        var seconds = time_t(representable.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "?" }
        return formatted(&parts, format)
    }

    private func formatted(_ parts: inout tm, _ format: String) -> String {
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
