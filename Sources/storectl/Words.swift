import FoundationEssentials
import Glibc

/// `1 product`, `2 products`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A point in time as lists show it: the local date and minute.
func shortTime(_ date: Date) -> String { localTime(date, "%Y-%m-%d %H:%M") }

/// The local time of day, for what happens now.
func clockTime(_ date: Date) -> String { localTime(date, "%H:%M:%S") }

private func localTime(_ date: Date, _ format: String) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "?" }
    var text = [UInt8](repeating: 0, count: 64)
    let count = text.withUnsafeMutableBytes { buffer in
        buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, format, &parts) }
    }
    return String(decoding: text.prefix(count), as: UTF8.self)
}
