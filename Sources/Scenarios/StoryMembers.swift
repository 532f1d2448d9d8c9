/// The members of an object in a story: a word that is misspelt must not go unnoticed.
struct StoryMembers {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let values: KeyedDecodingContainer<Key>

    /// - Parameter known: those that it may have.
    init(_ decoder: any Decoder, _ known: Set<String>) throws {
        values = try decoder.container(keyedBy: Key.self)
        if let unknown = values.allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) }) {
            throw flaw(unknown, "there is no such member; there are \(known.sorted().joined(separator: ", ")).")
        }
    }

    /// What is wrong with a member.
    func flaw(_ name: String, _ reason: String) -> DecodingError {
        .dataCorruptedError(forKey: Key(stringValue: name), in: values, debugDescription: reason)
    }

    func required<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
        try values.decode(type, forKey: Key(stringValue: name))
    }

    func optional<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> Value? {
        try values.decodeIfPresent(type, forKey: Key(stringValue: name))
    }

    /// One of several words.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws -> Word? where Word.RawValue == String {
        guard let text = try optional(name, String.self) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw flaw(name, "'\(text)' is none of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return word
    }

    /// Seconds, to the millisecond.
    func time(_ name: String) throws -> Duration? {
        guard let seconds = try optional(name, Double.self) else { return nil }
        guard let time = Duration(storySeconds: seconds) else {
            throw flaw(name, "it must be a number of seconds from 0 to \(Int(Duration.longestStory)).")
        }
        return time
    }
}

extension Duration {
    /// Ten years.
    static let longestStory = 315_360_000.0

    /// - Returns: `nil` where it is not from 0 to ten years.
    public init?(storySeconds seconds: Double) {
        guard seconds >= 0, seconds <= Self.longestStory else { return nil }
        self = .milliseconds(Int((seconds * 1000).rounded()))
    }
}
