/// A decoder of the members of a JSON object in a scenario's script.
///
/// It rejects unknown members so that a misspelt name is noticed.
struct ScriptMembers {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let values: KeyedDecodingContainer<Key>

    /// Creates a decoder for the members of a JSON object in a scenario's script.
    ///
    /// - Parameter known: the permitted members.
    /// - Throws: an error for the first unknown member.
    init(_ decoder: any Decoder, _ known: Set<String>) throws {
        values = try decoder.container(keyedBy: Key.self)
        if let unknown = values.allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) }) {
            throw flaw(unknown, "unknown member; expected \(known.sorted().joined(separator: ", "))")
        }
    }

    /// Returns the error for an invalid member of a JSON object in a scenario's script.
    func flaw(_ name: String, _ reason: String) -> DecodingError {
        .dataCorruptedError(forKey: Key(stringValue: name), in: values, debugDescription: reason)
    }

    /// Returns the value of a JSON member that must exist.
    func required<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
        try values.decode(type, forKey: Key(stringValue: name))
    }

    /// Returns the value of a JSON member, or `nil` if it is missing.
    func optional<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> Value? {
        try values.decodeIfPresent(type, forKey: Key(stringValue: name))
    }

    /// Returns the value of a JSON member that must be one of several words; `nil` if it is missing.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws -> Word? where Word.RawValue == String {
        guard let text = try optional(name, String.self) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw flaw(name, "'\(text)' is not one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    /// Returns the time in a JSON member, written in seconds, rounded to milliseconds; `nil` if it is missing.
    func time(_ name: String) throws -> Duration? {
        guard let seconds = try optional(name, Double.self) else { return nil }
        guard let time = Duration(scenarioSeconds: seconds) else {
            throw flaw(name, "must be a number of seconds from 0 to \(Int(Duration.longestScenario))")
        }
        return time
    }
}

extension Duration {
    /// The longest permitted time in a scenario, in seconds: ten years.
    static let longestScenario = 315_360_000.0

    /// Creates a scenario's duration from seconds, rounded to milliseconds; `nil` if it is not from 0 to ten years.
    public init?(scenarioSeconds seconds: Double) {
        guard seconds >= 0, seconds <= Self.longestScenario else { return nil }
        self = .milliseconds(Int((seconds * 1000).rounded()))
    }
}
