import FoundationEssentials
import StoreSystem

/// Returns a count followed by its noun in singular or plural: `1 product`, `2 products`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Formats a point in time as local date and minute, for tables.
func shortTime(_ date: Date) -> String { date.localFormatted("%Y-%m-%d %H:%M") }

/// Formats a point in time as local time of day, for events that happen now.
func clockTime(_ date: Date) -> String { date.localFormatted("%H:%M:%S") }
