import FoundationEssentials
import StoreSystem

/// Formats a date as local date and minute, such as `2026-11-21 22:28`, for tables.
func shortTime(_ date: Date) -> String { date.localFormatted("%Y-%m-%d %H:%M") }

/// Formats a date as local time of day, such as `22:28:04`, for events that happen now.
func clockTime(_ date: Date) -> String { date.localFormatted("%H:%M:%S") }
