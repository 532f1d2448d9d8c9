public import StoreModel

extension Schema {
    /// This schema in the syntax of JSON Schema.
    public var json: JSONValue {
        var members = keywords
        if let description { members["description"] = .string(description) }
        return .object(members)
    }

    private var keywords: [String: JSONValue] {
        switch shape {
        case .string(let format, let allowsEmpty):
            var keywords = format.keywords
            keywords["type"] = "string"
            if !allowsEmpty, format == .any { keywords["minLength"] = 1 }
            return keywords
        case .enumeration(let values): return ["type": "string", "enum": .array(values.map(JSONValue.string))]
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            // Always with bounds, because JSON's integers have none, and those of 64 bits are all that is accepted.
            return [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        case .number(let range):
            return ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .any: return [:]
        case .array(let element): return ["type": "array", "items": element.json]
        case .dictionary(let value): return ["type": "object", "additionalProperties": value.json]
        case .object(let properties, let allowsUnknown, let minimumCount):
            var keywords: [String: JSONValue] = ["type": "object"]
            keywords["properties"] = .object(
                Dictionary(properties.map { ($0.name, $0.schema.json) }) { first, _ in first })
            let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { keywords["required"] = .array(required) }
            if !allowsUnknown { keywords["additionalProperties"] = false }
            if minimumCount > 0 { keywords["minProperties"] = .integer(minimumCount) }
            return keywords
        case .reference(let reference): return ["$ref": .string("#/components/schemas/\(reference.name)")]
        case .nullable(let schema): return schema.nullableKeywords
        case .oneOf(let schemas): return ["oneOf": .array(schemas.map(\.json))]
        case .allOf(let schemas): return ["allOf": .array(schemas.map(\.json))]
        }
    }

    /// The JSON Schema keywords for "`null` or this schema".
    ///
    /// A second `type` is added if the schema has only a type; `anyOf` is used otherwise.
    private var nullableKeywords: [String: JSONValue] {
        var keywords = keywords
        guard let type = keywords["type"], keywords["enum"] == nil else {
            return ["anyOf": [json, ["type": "null"]]]
        }
        keywords["type"] = [type, "null"]
        return keywords
    }
}
