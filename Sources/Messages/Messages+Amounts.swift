import StoreModel

/// Amounts of data, which have the decimal separator and the units of the language.
extension Messages {
    /// Returns a number of bytes rounded to a unit that is easy to read, such as `6.8 kB`.
    public func size(_ bytes: Int) -> String {
        let parts = ErrorFormatter.rounded(bytes).split(separator: " ").map(String.init)
        return amount(parts[0], of: parts[1])
    }

    /// Returns an amount of data in the language; `nil` if the text is not one.
    ///
    /// - Parameter english: the amount as the texts of errors have it: digits, with a point or not, and a unit.
    func amount(_ english: String) -> String? {
        let parts = english.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[0].wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, word(forUnit: parts[1]) != nil
        else { return nil }
        return amount(parts[0], of: parts[1])
    }

    /// Returns an amount of data in the language.
    ///
    /// - Parameters:
    ///   - number: the number with a decimal point, or several with other characters between them.
    ///   - unit: the unit in English, such as `kB`.
    package func amount(_ number: String, of unit: String) -> String {
        let separator = text(".")
        // `replacing` is slow, and a list may have thousands of amounts.
        let number = separator == "." ? number : number.replacing(".", with: separator)
        return "\(number) \(word(forUnit: unit) ?? unit)"
    }

    /// Returns a number of seconds in the largest unit in which it is a whole number, such as `3 days`.
    public func period(_ seconds: Int) -> String {
        if seconds % 86_400 == 0 { return text(seconds / 86_400, one: "{count} day", other: "{count} days") }
        if seconds % 3_600 == 0 { return text(seconds / 3_600, one: "{count} hour", other: "{count} hours") }
        if seconds % 60 == 0 { return text(seconds / 60, one: "{count} minute", other: "{count} minutes") }
        return text(seconds, one: "{count} second", other: "{count} seconds")
    }

    /// Returns what happens if no newer state of a signed store can be verified for some time.
    ///
    /// - Parameters:
    ///   - warning: the age in seconds of the last verification from which a warning is shown.
    ///   - refusal: the age in seconds from which nothing is installed.
    public func verificationLimits(warning: Int, refusal: Int) -> String {
        text(
            "if no newer state of the store can be verified, warns after {warning}, and installs nothing from it after "
                + "{refusal}", ["warning": period(warning), "refusal": period(refusal)])
    }

    /// Returns the time that a download still takes, in its two largest units.
    public func timeLeft(_ seconds: Int) -> String {
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        return switch seconds {
        case ..<60: text("{seconds} s left", ["seconds": "\(seconds)"])
        case ..<3_600:
            text("{minutes} min {seconds} s left", ["minutes": "\(minutes)", "seconds": "\(seconds % 60)"])
        case ..<86_400: text("{hours} h {minutes} min left", ["hours": "\(hours)", "minutes": "\(minutes % 60)"])
        default: text("{days} d {hours} h left", ["days": "\(days)", "hours": "\(hours % 24)"])
        }
    }

    private func word(forUnit unit: String) -> String? {
        switch unit {
        case "byte": text("byte")
        case "bytes": text("bytes")
        case "B": text("B")
        case "kB": text("kB")
        case "MB": text("MB")
        case "GB": text("GB")
        case "TB": text("TB")
        case "PB": text("PB")
        case "EB": text("EB")
        default: nil
        }
    }
}
