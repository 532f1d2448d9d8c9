/// The JSON Schema (draft 2020-12) of a JSON value, limited to the keywords that the daemon's interface needs.
///
/// A schema serves two purposes: it is written to the OpenAPI document (``json``), and it validates values
/// (``validate(_:rejectsUnknownProperties:)``). What is documented is therefore enforced, but for the names of stores, which
/// the engine validates (``StringFormat``).
///
/// ```swift
/// let schema = Schema.request(
///     "What to install.",
///     [.required("productIdentifier", .nonEmptyText), .optional("priority", .integer)])
/// try schema.validate(["productIdentifier": "org.example.cups", "priority": 1])
/// ```
public struct Schema: Sendable, Hashable {
    /// The constraints that a JSON value has to meet to match a schema.
    public indirect enum Shape: Sendable, Hashable {
        case string(StringFormat, allowsEmpty: Bool)
        /// The JSON value is one of the given strings.
        case enumeration([String])
        case boolean
        /// Every JSON value matches the schema.
        case any
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case array(of: Schema)
        /// The JSON value is an object with properties of any name, whose values all have the same schema.
        case dictionary(to: Schema)
        /// The JSON value is an object with named properties.
        ///
        /// - allowsUnknown: whether properties other than the named ones are valid.
        /// - minimumCount: the minimum number of properties.
        case object([Property], allowsUnknown: Bool, minimumCount: Int)
        /// The JSON value matches a schema that the OpenAPI document lists under `components/schemas`.
        case reference(SchemaReference)
        /// The JSON value is `null` or matches the schema.
        case nullable(Schema)
        /// The JSON value matches exactly one of the schemas.
        case oneOf([Schema])
        /// The JSON value matches all of the schemas.
        case allOf([Schema])
    }

    /// A named property of a JSON object's schema, with the schema of its value.
    public struct Property: Sendable, Hashable {
        /// The name of the JSON object's property.
        public var name: String
        /// The schema of the value of the JSON object's property.
        public var schema: Schema
        /// Whether a JSON object without this property is invalid.
        public var isRequired: Bool

        /// Creates a property that must be present in a JSON object.
        public static func required(_ name: String, _ schema: Schema, _ description: String? = nil) -> Property {
            Property(name: name, schema: schema.described(as: description), isRequired: true)
        }

        /// Creates a property that may be absent in a JSON object.
        public static func optional(_ name: String, _ schema: Schema, _ description: String? = nil) -> Property {
            Property(name: name, schema: schema.described(as: description), isRequired: false)
        }
    }

    /// The constraints that a JSON value has to meet to match the schema.
    public var shape: Shape
    /// The description of the value for the OpenAPI document; `nil` if the property's name says everything.
    public var description: String?

    /// Creates a schema of JSON values from its constraints.
    public init(_ shape: Shape, _ description: String? = nil) {
        self.shape = shape
        self.description = description
    }

    /// Returns the same JSON schema with another description; unchanged if `description` is `nil`.
    public func described(as description: String?) -> Schema { Schema(shape, description ?? self.description) }
}
