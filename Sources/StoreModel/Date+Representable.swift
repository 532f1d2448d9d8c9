package import FoundationEssentials

extension Date {
    /// The dates that documents and the database can represent: the years 1601 to 9999.
    ///
    /// A date of a year beyond 9999 is no valid `date-time` of RFC 3339, and calendars differ in the dates before 1583.
    /// A clock that is wrong by thousands of years must not result in documents that can't be read.
    package static let representable =
        Date(timeIntervalSince1970: -11_644_473_600)...Date(timeIntervalSince1970: 253_402_300_799)

    /// The date, or where it can't be represented the nearest one that can.
    package var representable: Date {
        min(max(self, Self.representable.lowerBound), Self.representable.upperBound)
    }

    /// Creates a date from a number of milliseconds; a date that can't be represented becomes the nearest one that can.
    package init(millisecondsSince1970 milliseconds: Int64) {
        self = Date(timeIntervalSince1970: Double(milliseconds) / 1000).representable
    }

    /// The milliseconds from the beginning of 1970 until the date, or until the nearest one that can be represented.
    package var millisecondsSince1970: Int64 { Int64((representable.timeIntervalSince1970 * 1000).rounded()) }
}
