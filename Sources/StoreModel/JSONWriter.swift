package import FoundationEssentials

/// Writes the text of a JSON document, as ``JSON/encode(_:pretty:)`` would, for documents that are encoded very often.
///
/// Foundation's encoder takes a hundred times as long, because it builds a tree of the document first.
package struct JSONWriter {
    /// The text so far, as UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer of an empty text.
    package init() {}

    /// Writes a piece of JSON, such as a bracket, or a member's name with its colon.
    package mutating func write(json: StaticString) {
        json.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a piece of JSON that was encoded before.
    package mutating func write(json: some Sequence<UInt8>) { bytes.append(contentsOf: json) }

    /// Writes `true` or `false`.
    package mutating func write(_ value: Bool) { write(json: value ? "true" : "false") }

    /// Writes a whole number.
    package mutating func write(_ value: some BinaryInteger) { bytes.append(contentsOf: String(value).utf8) }

    /// Writes a whole number, or `null` for `nil`.
    package mutating func write(_ value: (some BinaryInteger)?) {
        if let value { write(value) } else { write(json: "null") }
    }

    /// Writes a number in the fewest digits that represent it.
    ///
    /// - Throws: `EncodingError` for a value that is not finite.
    package mutating func write(_ value: Double) throws {
        guard value.isFinite else { return write(json: try JSON.encode(value)) }
        let text = value.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    /// Writes a time, in seconds and in UTC, as ISO 8601.
    package mutating func write(_ time: Date) throws { try write(time.representable.formatted(.iso8601)) }

    /// Writes a string with the escapes that it needs.
    package mutating func write(_ text: String) throws {
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            guard utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                return false
            }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: utf8)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        // What needs an escape is rare.
        if !isWritten { bytes.append(contentsOf: try JSON.encode(text)) }
    }

    /// Writes a string, or `null` for `nil`.
    package mutating func write(_ text: String?) throws {
        if let text { try write(text) } else { write(json: "null") }
    }

    /// Writes a list, each element by `body`.
    package mutating func write<Element>(
        list: [Element], _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        write(json: "[")
        for (index, element) in list.enumerated() {
            if index > 0 { write(json: ",") }
            try body(&self, element)
        }
        write(json: "]")
    }

    /// Writes a localized text: a string, or an object with a member for each language.
    package mutating func write(_ text: LocalizedText) throws {
        if let only = text.only { return try write(only) }
        write(json: "{")
        for (index, translation) in text.byLanguage.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { write(json: ",") }
            try write(translation.key)
            write(json: ":")
            try write(translation.value)
        }
        write(json: "}")
    }
}
