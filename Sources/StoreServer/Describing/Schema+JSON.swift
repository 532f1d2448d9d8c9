import StoreModel

extension Schema {
    /// As the interface's document shows it.
    var json: JSONValue {
        var members = keywords
        if let summary { members["description"] = .string(summary) }
        return .object(members)
    }

    private var keywords: [String: JSONValue] {
        switch shape {
        case .text(let format, let longest, let mayBeEmpty):
            var keywords = format.keywords
            keywords["type"] = "string"
            if let longest { keywords["maxLength"] = .integer(longest) }
            if !mayBeEmpty, format == .any { keywords["minLength"] = 1 }
            return keywords
        case .word(let words): return ["type": "string", "enum": .array(words.map(JSONValue.string))]
        case .flag: return ["type": "boolean"]
        case .whole(let range):
            var keywords: [String: JSONValue] = ["type": "integer"]
            if range.lowerBound != .min { keywords["minimum"] = .integer(range.lowerBound) }
            if range.upperBound != .max { keywords["maximum"] = .integer(range.upperBound) }
            return keywords
        case .number(let range):
            return ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .any: return [:]
        case .list(let element): return ["type": "array", "items": element.json]
        case .map(let value): return ["type": "object", "additionalProperties": value.json]
        case .object(let members, let isClosed, let fewest):
            var keywords: [String: JSONValue] = ["type": "object"]
            keywords["properties"] = .object(
                Dictionary(members.map { ($0.name, $0.schema.json) }) { first, _ in first })
            let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { keywords["required"] = .array(required) }
            if isClosed { keywords["additionalProperties"] = false }
            if fewest > 0 { keywords["minProperties"] = .integer(fewest) }
            return keywords
        case .component(let name): return ["$ref": .string("#/components/schemas/\(name)")]
        case .orNull(let schema): return schema.keywordsOrNull
        case .either(let schemas): return ["oneOf": .array(schemas.map(\.json))]
        case .all(let schemas): return ["allOf": .array(schemas.map(\.json))]
        }
    }

    /// The short form where the type alone decides.
    private var keywordsOrNull: [String: JSONValue] {
        var keywords = keywords
        guard let type = keywords["type"], keywords["enum"] == nil else {
            return ["anyOf": [json, ["type": "null"]]]
        }
        keywords["type"] = [type, "null"]
        return keywords
    }
}

extension Schema.Format {
    fileprivate var keywords: [String: JSONValue] {
        switch self {
        case .any: [:]
        case .address: ["format": "uri"]
        case .time: ["format": "date-time"]
        case .permission: ["pattern": "^[a-z0-9.-]{1,64}$"]
        case .errorCode: ["pattern": #"^[a-z]+\.[a-z0-9-]+$"#]
        case .storeName: ["pattern": "^(?!local$)[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$"]
        case .sha256: ["pattern": "^[0-9a-f]{64}$"]
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .integer(number) }
    init(booleanLiteral flag: Bool) { self = .bool(flag) }
    init(arrayLiteral values: JSONValue...) { self = .array(values) }
    init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
