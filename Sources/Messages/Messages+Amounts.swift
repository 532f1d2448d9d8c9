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
        // The first text is the decimal separator.
        "\(number.replacing(".", with: text("."))) \(word(forUnit: unit) ?? unit)"
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
