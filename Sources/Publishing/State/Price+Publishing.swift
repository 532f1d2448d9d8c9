import StoreCatalogue
public import StoreModel

extension Price {
    /// Whether clients can show the price: it is free, or an amount that is not negative with or without a currency.
    var isPublishable: Bool {
        guard let amount else { return true }
        // A client takes a price for none that is too long for a catalogue, and the product for free.
        return Self.isAmount(amount) && amount.utf8.count <= CatalogueLimits.wordLength
    }

    /// Whether the price is an amount without a currency, such as `1.99`, so that the product's price is unknown.
    public var lacksCurrency: Bool {
        amount?.allSatisfy { $0.isASCIIDigit || $0.isWhitespace || Self.decimalSeparators.contains($0) } ?? false
    }

    /// The marks of which one may separate whole units from their parts.
    private static let decimalSeparators = ".,"

    /// Returns whether a text is a number with at most one currency, before or after it: `1.99 EUR`, `€ 1,99`, `5`.
    private static func isAmount(_ text: String) -> Bool {
        guard let first = text.firstIndex(where: \.isASCIIDigit), let last = text.lastIndex(where: \.isASCIIDigit)
        else {
            return false
        }
        let after = text.index(after: last)
        let currencies = [text[..<first], text[after...]].map { String($0).filter { !$0.isWhitespace } }
            .filter { !$0.isEmpty }
        return isNumber(text[first..<after]) && currencies.count <= 1 && currencies.allSatisfy(isCurrency)
    }

    /// Returns whether a text that begins and ends with a digit has only digits and at most one decimal separator.
    ///
    /// Digits are not grouped: what `1.999.00` costs can't be told, nor which mark of `1,000.00` is the decimal one.
    private static func isNumber(_ text: Substring) -> Bool {
        text.allSatisfy { $0.isASCIIDigit || decimalSeparators.contains($0) }
            && text.count { decimalSeparators.contains($0) } <= 1
    }

    /// Returns whether a text is the code, the abbreviation or the symbol of a currency, such as `EUR`, `kr` or `€`.
    private static func isCurrency(_ text: String) -> Bool {
        text.count <= 5 && text.allSatisfy { $0.isLetter || $0.isCurrencySymbol }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
