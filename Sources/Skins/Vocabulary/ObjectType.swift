public import StoreModel

/// A type of values in skins, such as colours.
///
/// A new type conforms to this protocol and is registered with ``SkinVocabulary/add(_:)-(ObjectType)``. A resolved skin
/// stores each value as its content (``SkinValue/Content``), by default its canonical text, which the type writes
/// (``text(of:)``) and parses (``value(ofText:)``); values with the same text are equal. A type whose values are read often
/// implements ``content(of:)-(Value)`` and ``value(of:)-(SkinValue.Content)``, so that no text is parsed.
public protocol ObjectType: Sendable {
    /// The Swift type of the values in skins that have this type.
    associatedtype Value: Sendable

    /// The name of the type in the attribute `type` of a skin's XML, such as `color`.
    var name: String { get }

    /// The revision of the notation in which the type's values are written, by default 1.
    ///
    /// A change of the revision invalidates all compiled skins.
    var revision: Int { get }

    /// Parses a value of this type from its XML element in a skin's file.
    ///
    /// - Throws: an error whose reason becomes a warning.
    func value(of source: ObjectSource) throws(ObjectError) -> Value

    /// Returns the content of the value of an XML element: that of ``value(of:)-(ObjectSource)``, which is the default.
    ///
    /// A requirement of the protocol and not only a method of an extension: the compiler then specializes it for each type,
    /// which is several times faster than passing the value through generic code.
    ///
    /// - Throws: as ``value(of:)-(ObjectSource)``.
    func content(of source: ObjectSource) throws(ObjectError) -> SkinValue.Content

    /// Returns a value as a skin stores it, by default as its canonical text; equal values have equal content.
    func content(of value: Value) -> SkinValue.Content

    /// Returns the value that a skin stores as `content`; `nil` if it is not content of a value of this type.
    ///
    /// By default, the text of the content is parsed (``value(ofText:)``). The content may come from a forged compiled skin.
    func value(of content: SkinValue.Content) -> Value?

    /// Returns a value as canonical text, so that equal values have equal text.
    func text(of value: Value) -> String

    /// Parses the canonical text of a value, which ``text(of:)`` wrote; `nil` for any other text.
    func value(ofText text: String) -> Value?

    /// Returns a skin's value written in CSS, escaped so that an untrusted value can't add rules.
    ///
    /// The result is `nil` if the value can't be expressed in CSS.
    func css(_ value: Value, in context: StyleContext) -> String?

    /// Returns a skin's value for JSON, by default its canonical text.
    func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue

    /// Returns the assets (such as images) that a skin's value refers to, by default none.
    func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset]
}

extension ObjectType {
    public var revision: Int { 1 }
    public func content(of source: ObjectSource) throws(ObjectError) -> SkinValue.Content {
        content(of: try value(of: source))
    }
    public func content(of value: Value) -> SkinValue.Content { .text(text(of: value)) }
    public func value(of content: SkinValue.Content) -> Value? { value(ofText: content.text) }
    public func css(_ value: Value, in context: StyleContext) -> String? { StyleText.quoted(text(of: value)) }
    public func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue { .string(text(of: value)) }
    public func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset] { [] }
}

/// The content of the XML element of a value in a skin's file: text, attributes and items.
public struct ObjectSource {
    /// The text of the value's XML element, without surrounding white space.
    public let text: String
    /// The values of the `item` elements in the value's XML element, each parsed by its own type.
    public let items: [SkinValue]
    private let attributes: [String: String]
    private let findAsset: (String) -> SkinAsset?

    /// Creates the content of the XML element of a value in a skin's file.
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

    /// The text of an attribute of the value's XML element; `nil` if the element has no such attribute.
    public subscript(attribute: String) -> String? { attributes[attribute] }

    /// Returns an asset (such as an image) of the skin, or of its nearest ancestor that has it; `nil` if none has it.
    ///
    /// A variant for the device idiom takes precedence over the plain file.
    ///
    /// - Parameter name: the path relative to the directory `assets`.
    public func asset(_ name: String) -> SkinAsset? { findAsset(name) }
}

/// The error of an invalid value in a skin; the value is skipped with a warning.
public struct ObjectError: Error {
    /// The code of the warning that the error of an invalid value becomes.
    public let code: ErrorCode
    /// Why the value is invalid, as text without the location in the file, such as `invalid number 'blue'`.
    public let reason: String

    /// Returns the error of a skin's value that is invalid for this reason.
    public static func bad(_ reason: String) -> ObjectError { ObjectError(code: .skinBadValue, reason: reason) }
    /// Returns the error of a skin's value that names an asset which does not exist.
    public static func noAsset(_ name: String) -> ObjectError {
        ObjectError(
            code: .skinUnknownAsset,
            reason: "unknown asset '\(name)'")
    }
}

/// The settings with which a skin's value is written to a style sheet.
public struct StyleContext: Sendable {
    /// The vocabulary with which the skin was resolved.
    public let vocabulary: SkinVocabulary
    /// Whether a number without a unit in the skin's value is a length in pixels (``SkinParameter/isLength``).
    public let isLength: Bool
    /// A function that returns the URL of a skin's asset (such as an image).
    public let address: @Sendable (SkinAsset) -> String

    /// Creates the settings for writing a skin's value to a style sheet.
    public init(
        vocabulary: SkinVocabulary, isLength: Bool = false, address: @escaping @Sendable (SkinAsset) -> String
    ) {
        self.vocabulary = vocabulary
        self.isLength = isLength
        self.address = address
    }
}

/// A namespace of functions that escape untrusted text for CSS (CSS Syntax Module Level 3, 4.3.5 and 4.3.11).
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
