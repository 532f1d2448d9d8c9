import FoundationEssentials
import StoreModel

/// The name of a JSON member, which may be computed at run time.
struct Member: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

/// A text decoded from a JSON string, or from a number or Boolean; `nil` for anything else.
///
/// Decoding never throws, so that one invalid value does not invalidate the array that contains it.
struct LenientText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.singleValueContainer() else {
            text = nil
            return
        }
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let number = try? container.decode(Double.self) {
            text = String(number)
        } else if let truth = try? container.decode(Bool.self) {
            text = String(truth)
        } else {
            text = nil
        }
    }
}

// Decoding of untrusted documents: a value that is missing, `null`, or of a wrong type is `nil`.
extension KeyedDecodingContainer where Key == Member {
    /// Returns the text of a JSON member; `nil` if it is missing, empty, too long, an array or an object.
    ///
    /// Numbers and Booleans are converted to text.
    ///
    /// - Parameter limit: the maximum length in bytes.
    func text(_ key: Member, limit: Int = CatalogueLimits.textLength) -> String? {
        let text =
            (try? decodeIfPresent(String.self, forKey: key))
            ?? (try? decodeIfPresent(LenientText.self, forKey: key))?.text
        guard let text, !text.isEmpty, text.utf8.count <= limit else { return nil }
        return text
    }

    /// Returns a JSON member's integer that is not negative, written as a number or as text; `nil` for anything else.
    func count(_ key: Member) -> Int? {
        if let number = try? decodeIfPresent(Int.self, forKey: key) { return number < 0 ? nil : number }
        if let number = try? decodeIfPresent(Double.self, forKey: key) {
            return number < 0 ? nil : Int(exactly: number)
        }
        guard let text = try? decodeIfPresent(String.self, forKey: key) else { return nil }
        let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        return Int(String(trimmed)).flatMap { $0 < 0 ? nil : $0 }
    }

    func flag(_ key: Member) -> Bool {
        guard contains(key), let text = text(key) else { return false }
        return text == "true" || text == "1"
    }

    /// Returns a JSON member's text, written as a string or as an object by language; `nil` for anything else.
    ///
    /// - Parameter limit: the maximum length of the text in each language, in bytes.
    func localizedText(_ key: Member, limit: Int = CatalogueLimits.textLength) -> LocalizedText? {
        if let text = text(key, limit: limit) { return LocalizedText(text) }
        guard let values = try? nestedContainer(keyedBy: Member.self, forKey: key) else { return nil }
        let languages = values.allKeys
        guard languages.count <= CatalogueLimits.languages else { return nil }
        var texts: [String: String] = [:]
        for language in languages where language.stringValue.utf8.count <= CatalogueLimits.wordLength {
            texts[language.stringValue] = values.text(language, limit: limit)
        }
        return texts.isEmpty ? nil : LocalizedText(byLanguage: texts)
    }

    /// Returns whether a member is an array with more elements than are read.
    ///
    /// The number is known before any element is decoded.
    func isTooLong(_ key: Member) -> Bool {
        guard contains(key), let count = try? nestedUnkeyedContainer(forKey: key).count else { return false }
        return count > CatalogueLimits.listLength
    }

    /// Returns the texts of a JSON member, written as an array or as a single text; empty for anything else, and for an
    /// array that is too long (``isTooLong(_:)``).
    ///
    /// - Parameter limit: the maximum length of each text in bytes; longer ones are left out.
    func texts(_ key: Member, limit: Int = CatalogueLimits.textLength) -> [String] {
        guard contains(key), !isTooLong(key) else { return [] }
        if let texts = try? decode([LenientText].self, forKey: key) {
            return texts.compactMap(\.text).filter { !$0.isEmpty && $0.utf8.count <= limit }
        }
        return text(key, limit: limit).map { [$0] } ?? []
    }

    /// Returns the price in a JSON member; `nil` if it is missing or invalid.
    ///
    /// By the specification of the format, the product is free then.
    func price(_ key: Member) -> Price? {
        guard contains(key) else { return nil }
        return text(key, limit: CatalogueLimits.wordLength).map { Price($0) }
    }

    func date(_ key: Member) -> Date? { text(key).flatMap(ISO8601.date) }
}
