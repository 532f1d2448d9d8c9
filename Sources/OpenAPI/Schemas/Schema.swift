/// The JSON Schema (draft 2020-12) of one value, limited to the keywords that the daemon's interface needs.
///
/// One value serves two purposes: it renders the schema in the OpenAPI document (``json``), and it validates values
/// (``validate(_:rejectsUnknownProperties:)``). What is documented and what is enforced are therefore the same.
///
/// ```swift
/// let schema = Schema.request(
///     "What to install.",
///     [.required("productIdentifier", .nonEmptyText), .optional("priority", .integer)])
/// try schema.validate(["productIdentifier": "org.example.cups", "priority": 1])
/// ```
public struct Schema: Sendable, Hashable {
    /// The constraints that a value has to meet.
    public indirect enum Shape: Sendable, Hashable {
        case string(StringFormat, allowsEmpty: Bool)
        /// One of the given strings.
        case enumeration([String])
        case boolean
        /// Any JSON value.
        case any
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case array(of: Schema)
        /// An object with properties of any name, whose values all have the same schema.
        case dictionary(to: Schema)
        /// An object with named properties.
        ///
        /// - allowsUnknown: whether properties other than the named ones are valid.
        /// - minimumCount: the least number of properties.
        case object([Property], allowsUnknown: Bool, minimumCount: Int)
        /// A schema that the OpenAPI document lists under `components/schemas`.
        case reference(SchemaReference)
        /// `null`, or a value of the schema.
        case nullable(Schema)
        /// Exactly one of the schemas is met.
        case oneOf([Schema])
        /// All of the schemas are met.
        case allOf([Schema])
    }

    /// One named member of an object.
    public struct Property: Sendable, Hashable {
        /// The name of the member.
        public var name: String
        /// The schema of the value.
        public var schema: Schema
        /// Whether an object without the member is invalid.
        public var isRequired: Bool

        /// Describes a property that is always present.
        public static func required(_ name: String, _ schema: Schema, _ description: String? = nil) -> Property {
            Property(name: name, schema: schema.described(as: description), isRequired: true)
        }

        /// Describes a property that may be absent.
        public static func optional(_ name: String, _ schema: Schema, _ description: String? = nil) -> Property {
            Property(name: name, schema: schema.described(as: description), isRequired: false)
        }
    }

    /// The constraints that a value has to meet.
    public var shape: Shape
    /// The text for readers of the document; `nil` where the property's name says everything.
    public var description: String?

    /// Creates a schema.
    public init(_ shape: Shape, _ description: String? = nil) {
        self.shape = shape
        self.description = description
    }

    /// The same schema with another description; unchanged if `description` is `nil`.
    public func described(as description: String?) -> Schema { Schema(shape, description ?? self.description) }
}
