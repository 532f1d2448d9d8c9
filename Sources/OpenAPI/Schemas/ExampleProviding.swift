public import StoreModel

/// A type whose JSON form is the whole body of a request or response, with an example for the OpenAPI document.
///
/// The example is a value of the type, so that it changes with the type. Conformances are in the directory `Examples` of
/// `StoreAPI`:
///
/// ```swift
/// extension Purchase: ExampleProviding {
///     public static var example: Purchase {
///         Purchase(productIdentifier: "org.example.cups", grantedAt: Date(timeIntervalSince1970: 1_772_000_000))
///     }
/// }
/// ```
public protocol ExampleProviding: SchemaProviding, Encodable {
    /// A realistic value of the type; of a request, one that a daemon accepts if it has what the request names.
    static var example: Self { get }
}

extension ExampleProviding {
    /// The JSON form of the type's example.
    public static var exampleJSON: JSONValue {
        get throws { try example.json }
    }

    /// The JSON form of the value.
    var json: JSONValue {
        get throws { try JSON.decode(from: JSON.encode(self)) }
    }
}
