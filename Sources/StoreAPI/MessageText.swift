public import StoreModel
public import StoreOpenAPI

/// The JSON body of the requests `POST /v1/emoji-text` and `POST /v1/sticker-text` to the daemon: the text of a message.
public struct MessageTextRequest: Sendable, Codable {
    /// The text of the message.
    public var text: String
    /// The unit in which positions are counted; `nil` is UTF-16.
    public var unit: TextUnit?

    /// Creates the request to find emoji, or references to stickers, in a text.
    public init(text: String, unit: TextUnit? = nil) {
        self.text = text
        self.unit = unit
    }
}

extension MessageTextRequest: SchemaProviding {
    public static let schemaName = "MessageTextRequest"
    public static let schema = Schema.request(
        "The text of a message.",
        [
            .required("text", .text),
            .optional(
                "unit", .enumeration(of: TextUnit.self),
                "The unit of positions: code units of UTF-16 (the default), bytes of UTF-8, or Unicode scalar values."),
        ])
}

/// A place in a text that a front-end shows in another way, and the document that lists such places.
public protocol TextSpan: Sendable, Codable, SchemaProviding {
    /// The name of the schema of the document.
    static var textDocumentName: String { get }
    /// What the document describes, as a sentence for the OpenAPI document.
    static var textDocumentPurpose: String { get }
}

/// The daemon's JSON response to a ``MessageTextRequest``: where the emoji, or the references to stickers, are in a text.
public struct MessageTextDocument<Span: TextSpan>: Sendable, Codable {
    /// The unit in which the positions are counted.
    public var unit: TextUnit
    /// The places, in the order of the text; they do not overlap.
    public var spans: [Span]

    /// Creates the response with the places in a text.
    public init(unit: TextUnit, spans: [Span]) {
        self.unit = unit
        self.spans = spans
    }
}

extension MessageTextDocument: SchemaProviding {
    public static var schemaName: String { Span.textDocumentName }
    public static var schema: Schema {
        .document(
            Span.textDocumentPurpose,
            [
                .required("unit", .enumeration(of: TextUnit.self), "The unit of positions."),
                .required("spans", .array(of: Span.self), "In the order of the text, without overlaps."),
            ])
    }
}
