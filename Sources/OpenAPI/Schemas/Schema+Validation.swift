public import StoreModel

extension Schema {
    /// Checks that a JSON value matches the schema.
    ///
    /// - Parameters:
    ///   - value: the decoded JSON.
    ///   - rejectsUnknownProperties: whether a property that the schema does not list is a violation also for
    ///     ``document(_:_:)``. Tests use this to find properties without a description.
    /// - Throws: the first violation found.
    public func validate(_ value: JSONValue, rejectsUnknownProperties: Bool = false) throws(SchemaViolation) {
        try validate(value, rejectsUnknownProperties, at: [])
    }

    private func validate(_ value: JSONValue, _ isStrict: Bool, at path: [String]) throws(SchemaViolation) {
        func violation(_ reason: String, of member: String? = nil) -> SchemaViolation {
            SchemaViolation(path: (path + (member.map { [$0] } ?? [])).joined(separator: "."), reason: reason)
        }
        func validate(_ schema: Schema, _ value: JSONValue, _ name: String) throws(SchemaViolation) {
            try schema.validate(value, isStrict, at: path + [name])
        }

        switch (resolved.shape, value) {
        case (.nullable, .null): return
        case (.nullable(let schema), _):
            try schema.validate(value, isStrict, at: path)
        case (.string(let format, let allowsEmpty), .string(let text)):
            guard allowsEmpty || !text.isEmpty else { throw violation("must not be empty") }
            guard format.matches(text) else { throw violation("must be \(format.expectation), not \(value.quoted)") }
        case (.enumeration(let values), .string(let text)) where values.contains(text): return
        case (.boolean, .bool), (.any, _): return
        case (.integer(let range), .integer(let number)) where range.contains(number): return
        case (.number(let range), .number(let number)) where range.contains(number): return
        case (.number(let range), .integer(let number)) where range.contains(Double(number)): return
        case (.array(let element), .array(let values)):
            for (index, value) in values.enumerated() { try validate(element, value, String(index)) }
        case (.dictionary(let schema), .object(let members)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { try validate(schema, value, name) }
        case (.object(let properties, let allowsUnknown, let minimumCount), .object(let members)):
            // Before missing properties: a property that seems to be missing may be a misspelt one.
            let names = properties.map { "'\($0.name)'" }.joined(separator: ", ")
            let unknown = members.keys.filter { name in !properties.contains { $0.name == name } }.min()
            if let unknown, !allowsUnknown || isStrict {
                throw violation("is not a known property; the known ones are \(names)", of: unknown)
            }
            for property in properties {
                if let value = members[property.name] {
                    try validate(property.schema, value, property.name)
                } else if property.isRequired {
                    throw violation("is missing", of: property.name)
                }
            }
            guard members.count >= minimumCount else {
                throw violation("must have at least \(minimumCount) of \(names)")
            }
        case (.oneOf(let schemas), _):
            let matching = schemas.count { schema in (try? schema.validate(value, isStrict, at: [])) != nil }
            guard matching == 1 else { throw violation("must be \(expectation)") }
        case (.integer(let range), _) where value.isTooLarge(for: range):
            let bounds = "an integer from \(range.lowerBound) to \(range.upperBound)"
            throw violation("must be \(bounds), not \(value.quoted)")
        default: throw violation("must be \(expectation), not \(value.quoted)")
        }
    }

    /// This schema with references resolved, and with the properties of all parts of an `allOf` in one object.
    private var resolved: Schema {
        switch shape {
        case .reference(let reference): return reference.schema.resolved
        case .allOf(let schemas):
            var properties: [Property] = []
            for case .object(let some, _, _) in schemas.map(\.resolved.shape) { properties += some }
            return Schema(.object(properties, allowsUnknown: true, minimumCount: 0))
        default: return self
        }
    }

    /// The properties of a JSON object's schema, including those of references and of all parts of an `allOf`.
    public var properties: [Property] {
        if case .object(let properties, _, _) = resolved.shape { properties } else { [] }
    }

    /// A noun phrase for error messages that says what a value has to be to match the schema, such as "an integer".
    private var expectation: String {
        switch resolved.shape {
        case .string(let format, _): format.expectation
        case .enumeration(let values): "one of " + values.map { "'\($0)'" }.joined(separator: ", ")
        case .boolean: "'true' or 'false'"
        case .integer(let range) where range.lowerBound == .min: "an integer"
        case .integer(let range) where range.upperBound == .max: "an integer of at least \(range.lowerBound)"
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .any: "any value"
        case .array: "an array"
        case .dictionary, .object, .allOf, .reference: "an object"
        case .nullable(let schema): schema.expectation + ", or null"
        case .oneOf(let schemas): schemas.map(\.expectation).joined(separator: " or ")
        }
    }
}

extension JSONValue {
    /// Returns whether the JSON value is a number above a range, or the text of one.
    fileprivate func isTooLarge(for range: ClosedRange<Int>) -> Bool {
        switch self {
        case .integer(let number): number > range.upperBound
        case .number(let number): number >= Double(range.upperBound)
        // A parameter that is too large for an integer is passed as text.
        case .string(let text):
            !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) }
                && Int(text).map { $0 > range.upperBound } ?? true
        default: false
        }
    }

    /// The JSON value as text for error messages; a long value is replaced by the name of its type.
    fileprivate var quoted: String {
        switch self {
        case .array: "an array"
        case .object: "an object"
        case .string(let text) where text.utf8.count > 60: "a string of \(text.utf8.count) bytes"
        case .string(let text): "'\(text)'"
        default: asWritten
        }
    }
}
