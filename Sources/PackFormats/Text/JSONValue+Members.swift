import StoreModel

extension JSONValue {
    /// The member of an object with this name; `nil` if there is none, it is `null`, or the value is not an object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }

    /// The value as text: a string, or a number, which some programs write where others write a string.
    var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// The elements of an array; `nil` if the value is not an array.
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members of an object; `nil` if the value is not an object.
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The texts in an array, or the only text.
    var texts: [String] { elements?.compactMap(\.text) ?? text.map { [$0] } ?? [] }

    /// A text, or an object with a text for each language; `nil` if the value is neither, or all texts are empty.
    var localizedText: LocalizedText? {
        if let text { return text.nonempty.map { LocalizedText($0) } }
        let byLanguage = (members ?? [:]).compactMapValues { $0.text?.nonempty }
        guard !byLanguage.isEmpty else { return nil }
        let tags = byLanguage.map { ($0.key.replacing("_", with: "-"), $0.value) }
        return LocalizedText(byLanguage: Dictionary(tags) { first, _ in first })
    }
}
