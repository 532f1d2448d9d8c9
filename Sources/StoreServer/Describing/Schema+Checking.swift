import FoundationEssentials
import StoreModel

/// Why a value is not what its schema says.
struct SchemaFault: Error, Equatable {
    /// The member, such as `consent.0`; empty where it is the whole value.
    let place: String
    /// What it has to be, or what is wrong with it, as the end of a sentence.
    let reason: String

    var sentence: String { place.isEmpty ? "it \(reason)." : "'\(place)' \(reason)." }
}

extension Schema {
    /// - Parameters:
    ///   - components: where the schemas stand that are meant by name.
    ///   - isStrict: whether members that the schema does not name are faults in documents that may get more, too.
    /// - Throws: the first fault.
    func check(
        _ value: JSONValue, with components: [String: Schema], isStrict: Bool = false, at place: [String] = []
    ) throws(SchemaFault) {
        func fault(_ reason: String) -> SchemaFault {
            SchemaFault(place: place.joined(separator: "."), reason: reason)
        }
        func check(_ schema: Schema, _ value: JSONValue, _ name: String) throws(SchemaFault) {
            try schema.check(value, with: components, isStrict: isStrict, at: place + [name])
        }

        switch (resolved(components).shape, value) {
        case (.orNull, .null): return
        case (.orNull(let schema), _):
            try schema.check(value, with: components, isStrict: isStrict, at: place)
        case (.text(let format, let longest, let mayBeEmpty), .string(let text)):
            guard mayBeEmpty || !text.isEmpty else { throw fault("must not be empty") }
            guard text.unicodeScalars.count <= longest ?? .max else {
                throw fault("must have at most \(longest ?? 0) characters")
            }
            guard format.holds(text) else { throw fault("must be \(format.expectation), not \(value.quoted)") }
        case (.word(let words), .string(let word)) where words.contains(word): return
        case (.flag, .bool), (.any, _): return
        case (.whole(let range), .integer(let number)) where range.contains(number): return
        case (.number(let range), .number(let number)) where range.contains(number): return
        case (.number(let range), .integer(let number)) where range.contains(Double(number)): return
        case (.list(let element), .array(let values)):
            for (index, value) in values.enumerated() { try check(element, value, String(index)) }
        case (.map(let schema), .object(let members)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { try check(schema, value, name) }
        case (.object(let known, let isClosed, let fewest), .object(let members)):
            for member in known {
                if let value = members[member.name] {
                    try check(member.schema, value, member.name)
                } else if member.isRequired {
                    throw SchemaFault(place: (place + [member.name]).joined(separator: "."), reason: "is missing")
                }
            }
            let names = known.map { "'\($0.name)'" }.joined(separator: ", ")
            let unknown = members.keys.filter { name in !known.contains { $0.name == name } }.min()
            if let unknown, isClosed || isStrict {
                throw SchemaFault(
                    place: (place + [unknown]).joined(separator: "."),
                    reason: "is no member that there is; there are \(names)")
            }
            guard members.count >= fewest else { throw fault("must have \(fewest) at least of \(names)") }
        case (.either(let schemas), _):
            let fits = schemas.count { schema in
                (try? schema.check(value, with: components, isStrict: isStrict)) != nil
            }
            guard fits == 1 else { throw fault("must be \(expectation(components))") }
        default: throw fault("must be \(expectation(components)), not \(value.quoted)")
        }
    }

    /// Without names of components, and with several in one.
    private func resolved(_ components: [String: Schema]) -> Schema {
        switch shape {
        case .component(let name): return components[name]?.resolved(components) ?? self
        case .all(let schemas):
            var members: [Member] = []
            for case .object(let some, _, _) in schemas.map({ $0.resolved(components).shape }) { members += some }
            return Schema(.object(members, isClosed: false, fewest: 0))
        default: return self
        }
    }

    /// What a value has to be, for messages.
    func expectation(_ components: [String: Schema] = [:]) -> String {
        switch resolved(components).shape {
        case .text(let format, _, _): format.expectation
        case .word(let words): "one of " + words.map { "'\($0)'" }.joined(separator: ", ")
        case .flag: "'true' or 'false'"
        case .whole(let range) where range.lowerBound == .min: "a whole number"
        case .whole(let range) where range.upperBound == .max: "a whole number from \(range.lowerBound) on"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .any: "any value"
        case .list: "an array"
        case .map, .object, .all, .component: "an object"
        case .orNull(let schema): schema.expectation(components) + ", or null"
        case .either(let schemas): schemas.map { $0.expectation(components) }.joined(separator: " or ")
        }
    }
}

extension Schema.Format {
    /// Whether a text has this form. A name of a store is left to the engine, which refuses it with a code of its own.
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .any, .storeName: true
        case .address: URL(string: text) != nil
        case .time: (try? Date(text, strategy: .iso8601)) != nil
        case .permission: Permission(rawValue: text).isWellFormed
        case .errorCode: Self.isErrorCode(text)
        case .sha256: SHA256Digest(hex: text) != nil
        }
    }

    private static func isErrorCode(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && parts[0].utf8.allSatisfy(letters.contains)
            && parts[1].utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
    }

    fileprivate var expectation: String {
        switch self {
        case .any: "text"
        case .address: "an address (URI)"
        case .time: "a time (ISO 8601)"
        case .permission: "a permission: up to 64 of 'a' to 'z', '0' to '9', '.' and '-'"
        case .errorCode: "the word of an error"
        case .storeName: "the name of a store"
        case .sha256: "64 hexadecimal digits"
        }
    }
}

extension JSONValue {
    /// For messages: what is long is named by its type.
    fileprivate var quoted: String {
        switch self {
        case .array: "an array"
        case .object: "an object"
        case .string(let text) where text.utf8.count > 60: "a text of \(text.utf8.count) bytes"
        case .string(let text): "'\(text)'"
        default: asWritten
        }
    }
}
