import FoundationEssentials
import StoreSystem

/// `1 product`, `2 products`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A point in time as lists show it: the local date and minute.
func shortTime(_ date: Date) -> String { date.localFormatted("%Y-%m-%d %H:%M") }

/// The local time of day, for what happens now.
func clockTime(_ date: Date) -> String { date.localFormatted("%H:%M:%S") }
