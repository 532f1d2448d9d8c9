package import StoreMessages

/// A namespace of functions that format sizes, rates and durations for display.
package enum AmountFormat {
    /// Formats a number of bytes in powers of 1000 with at most three digits: `812 B`, `1.2 kB`, `34 MB`.
    package static func bytes(_ count: Int, _ messages: Messages = .of(.english)) -> String {
        let (value, unit) = scaled(Double(max(0, count)))
        return messages.amount(value, of: unit)
    }

    /// Formats the bytes received and their total, which may be unknown: `1.2/3.4 MB`, `900 kB/3.4 MB`.
    package static func bytes(_ count: Int, of total: Int?, _ messages: Messages = .of(.english)) -> String {
        guard let total else { return bytes(count, messages) }
        let (value, unit) = scaled(Double(max(0, count)))
        let (whole, wholeUnit) = scaled(Double(max(0, total)))
        return unit == wholeUnit
            ? messages.amount("\(value)/\(whole)", of: unit)
            : messages.amount(value, of: unit) + "/" + messages.amount(whole, of: wholeUnit)
    }

    /// Formats a rate in bytes per second: `1.2 MB/s`.
    package static func rate(_ bytesPerSecond: Double, _ messages: Messages = .of(.english)) -> String {
        let (value, unit) = scaled(max(0, bytesPerSecond))
        return messages.text("{amount}/s", ["amount": messages.amount(value, of: unit)])
    }

    /// Formats a duration in seconds in its two largest units: `7s`, `1m 05s`, `2h 03m`, `3d 04h`.
    package static func time(_ seconds: Double, _ messages: Messages = .of(.english)) -> String {
        guard seconds < 1e8 else { return messages.text("long") }
        let seconds = Int(max(0, seconds).rounded(.up))
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m \(twoDigits(seconds % 60))s"
        case ..<86_400: "\(seconds / 3600)h \(twoDigits(seconds / 60 % 60))m"
        default: "\(seconds / 86_400)d \(twoDigits(seconds / 3600 % 24))h"
        }
    }

    /// Formats a fraction from 0 to 1 as per cent, rounded down so that only 1 becomes `100%`.
    package static func percent(_ fraction: Double) -> String {
        "\(Int(min(1, max(0, fraction)) * 100))%"
    }

    /// Returns a progress bar in ASCII of exactly `width` columns, brackets included; `fraction` is from 0 to 1.
    package static func bar(_ fraction: Double, width: Int) -> String {
        let inner = max(0, width - 2)
        let filled = Int(min(1, max(0, fraction)) * Double(inner))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: inner - filled) + "]"
    }

    private static func scaled(_ value: Double) -> (String, String) {
        var (value, units) = (value, ["B", "kB", "MB", "GB", "TB", "PB", "EB"][...])
        // 999.5 would be rounded to 1000, which belongs to the next unit.
        while value >= 999.5, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        if units.first == "B" || value >= 9.95 { return ("\(Int(value.rounded()))", units.first!) }
        let tenths = Int((value * 10).rounded())
        return ("\(tenths / 10).\(tenths % 10)", units.first!)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
