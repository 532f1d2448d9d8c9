public import StoreModel

/// A type of values in skins, such as colours.
///
/// A new type conforms to this protocol and is registered with ``SkinVocabulary/add(_:)-(ObjectType)``. A resolved skin
/// stores each value as its canonical text, which the type writes (``text(of:)``) and parses (``value(ofText:)``);
/// values with the same text are equal.
public protocol ObjectType: Sendable {
    /// The Swift type of the values.
    associatedtype Value: Sendable

    /// The name of the type in the attribute `type` of a skin's files.
    var name: String { get }

    /// The revision of the type's notation, by default 1.
    ///
    /// A change of the revision invalidates all compiled skins.
    var revision: Int { get }

    /// Parses a value from its element in a skin's file.
    ///
    /// - Throws: an error whose reason becomes a warning.
    func value(of source: ObjectSource) throws(ObjectError) -> Value

    /// Returns the canonical text of a value.
    func text(of value: Value) -> String

    /// Parses a text that ``text(of:)`` wrote; `nil` for any other.
    func value(ofText text: String) -> Value?

    /// Returns the value written in CSS, escaped so that an untrusted value can't add rules.
    ///
    /// The result is `nil` if the value can't be expressed in CSS.
    func css(_ value: Value, in context: StyleContext) -> String?

    /// Returns the value for JSON, by default its canonical text.
    func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue

    /// Returns the assets that a value refers to, by default none.
    func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset]
}

extension ObjectType {
    public var revision: Int { 1 }
    public func css(_ value: Value, in context: StyleContext) -> String? { StyleText.quoted(text(of: value)) }
    public func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue { .string(text(of: value)) }
    public func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset] { [] }
}

/// The content of the XML element of a value in a skin's file.
public struct ObjectSource {
    /// The text of the element, without surrounding white space.
    public let text: String
    /// The values of the element's `item` elements, each parsed by its own type.
    public let items: [SkinValue]
    private let attributes: [String: String]
    private let findAsset: (String) -> SkinAsset?

    /// Creates the content of an element.
    ///
    /// - Parameter findAsset: returns the asset with a name, or `nil`; used by ``asset(_:)``.
    public init(
        text: String, attributes: [String: String] = [:], items: [SkinValue] = [],
        findAsset: @escaping (String) -> SkinAsset? = { _ in nil }
    ) {
        self.text = text
        self.attributes = attributes
        self.items = items
        self.findAsset = findAsset
    }

    /// The value of an attribute of the element; `nil` if the element has no such attribute.
    public subscript(attribute: String) -> String? { attributes[attribute] }

    /// Returns an asset of the skin or of its nearest ancestor that has the asset; `nil` if none has it.
    ///
    /// A variant for the device idiom takes precedence over the plain file.
    ///
    /// - Parameter name: the path relative to the directory `assets`.
    public func asset(_ name: String) -> SkinAsset? { findAsset(name) }
}

/// The reason why a value in a skin is invalid; the value is skipped with a warning.
public struct ObjectError: Error {
    /// The code of the warning that the error becomes.
    public let code: ErrorCode
    /// The message without the location in the file, such as `invalid number 'blue'`.
    public let reason: String

    /// Returns the error of an invalid value.
    public static func bad(_ reason: String) -> ObjectError { ObjectError(code: .skinBadValue, reason: reason) }
    /// Returns the error for a name that is not the name of an asset.
    public static func noAsset(_ name: String) -> ObjectError {
        ObjectError(
            code: .skinUnknownAsset,
            reason: "unknown asset '\(name)'")
    }
}

/// The settings with which a value is written to a style sheet.
public struct StyleContext: Sendable {
    /// The vocabulary with which the skin was resolved.
    public let vocabulary: SkinVocabulary
    /// Whether a number without a unit is a length in pixels (``SkinParameter/isLength``).
    public let isLength: Bool
    /// Returns the URL of an asset.
    public let address: @Sendable (SkinAsset) -> String

    /// Creates a context for writing values.
    public init(
        vocabulary: SkinVocabulary, isLength: Bool = false, address: @escaping @Sendable (SkinAsset) -> String
    ) {
        self.vocabulary = vocabulary
        self.isLength = isLength
        self.address = address
    }
}

/// Escapes untrusted text for style sheets (CSS Syntax Module Level 3, 4.3.5 and 4.3.11).
public enum StyleText {
    /// Returns the text as a quoted CSS string.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            // '<' could end a `style` element; control characters end the string.
            case "\u{0}"..<"\u{20}", "\u{7F}", "<": quoted += "\\" + String(scalar.value, radix: 16) + " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
