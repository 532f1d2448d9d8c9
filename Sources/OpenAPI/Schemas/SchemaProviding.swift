public import StoreModel

/// A type whose JSON form has a schema of its own in the OpenAPI document.
///
/// Conformances are in the same file as the type in `StoreAPI`, one file for each resource:
///
/// ```swift
/// public struct PurchaseList: Codable, SchemaProviding {
///     public var purchases: [Purchase]
///
///     public static let schemaName = "PurchaseList"
///     public static let schema = Schema.document(
///         "The user's list of purchases.", [.required("purchases", .array(of: Purchase.self))])
/// }
/// ```
public protocol SchemaProviding: Sendable {
    /// The name of the type's schema under `components/schemas` of the OpenAPI document; unique in the interface.
    static var schemaName: String { get }
    /// The schema of the JSON form of the type.
    static var schema: Schema { get }
}

/// A reference from one JSON schema to the schema of a type, which the OpenAPI document lists by name.
public struct SchemaReference: Sendable, Hashable {
    private let type: any SchemaProviding.Type

    /// Creates a reference to the JSON schema of a type.
    public init(_ type: any SchemaProviding.Type) { self.type = type }

    /// The name of the schema under `components/schemas` of the OpenAPI document.
    public var name: String { type.schemaName }
    /// The schema that the reference refers to: that of the type with which it was created.
    public var schema: Schema { type.schema }

    /// The example of the type's JSON form; `nil` for a type that is only a part of others.
    public var example: JSONValue? {
        get throws { try (type as? any ExampleProviding.Type)?.exampleJSON }
    }

    public static func == (a: SchemaReference, b: SchemaReference) -> Bool { a.type == b.type }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension Schema {
    /// The references to other schemas that this schema contains directly, without those in the schemas referred to.
    public var references: Set<SchemaReference> {
        switch shape {
        case .string, .enumeration, .boolean, .any, .integer, .number: []
        case .reference(let reference): [reference]
        case .array(let schema), .dictionary(let schema), .nullable(let schema): schema.references
        case .object(let properties, _, _): properties.reduce(into: []) { $0.formUnion($1.schema.references) }
        case .oneOf(let schemas), .allOf(let schemas): schemas.reduce(into: []) { $0.formUnion($1.references) }
        }
    }
}
