public import StoreModel

/// One type of what operations take, such as a colour. To add one, conform to this and register it with
/// ``SkinVocabulary/add(_:)-(ObjectType)``; it then goes through XML, resolving, the compiled form, CSS and JSON.
///
/// A resolved skin holds each value as text, which the type writes (``text(of:)``) and reads again
/// (``value(ofText:)``): what can't be told apart by that text is the same value.
public protocol ObjectType: Sendable {
    associatedtype Value: Sendable

    /// What `type=` says in a skin's files.
    var name: String { get }

    /// Raised when the same XML, or the same text, comes to mean something else, so that what was compiled before is
    /// made anew. 1 unless said otherwise.
    var revision: Int { get }

    /// Reads what a skin's file says.
    func value(of source: ObjectSource) throws(ObjectError) -> Value

    /// The one text of a value.
    func text(of value: Value) -> String

    /// Reads a text that ``text(of:)`` wrote; `nil` for any other.
    func value(ofText text: String) -> Value?

    /// The value in a style sheet, safe to put there whatever the skin's author wrote; `nil` where it has no meaning in
    /// one.
    func css(_ value: Value, in context: StyleContext) -> String?

    /// The value in a JSON document. Its text unless said otherwise.
    func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue

    /// The assets that a value names. None unless said otherwise.
    func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset]
}

extension ObjectType {
    public var revision: Int { 1 }
    public func css(_ value: Value, in context: StyleContext) -> String? { StyleText.quoted(text(of: value)) }
    public func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue { .string(text(of: value)) }
    public func assets(in value: Value, _ vocabulary: SkinVocabulary) -> [SkinAsset] { [] }
}

/// What a skin's file says for one value.
public struct ObjectSource {
    /// Without white space around it.
    public let text: String
    /// The `item` elements in it, each already read by its own type.
    public let items: [SkinValue]
    private let attributes: [String: String]
    private let findAsset: (String) -> SkinAsset?

    /// - Parameter findAsset: what ``asset(_:)`` asks.
    public init(
        text: String, attributes: [String: String] = [:], items: [SkinValue] = [],
        findAsset: @escaping (String) -> SkinAsset? = { _ in nil }
    ) {
        self.text = text
        self.attributes = attributes
        self.items = items
        self.findAsset = findAsset
    }

    /// What an attribute of the element says.
    public subscript(attribute: String) -> String? { attributes[attribute] }

    /// The asset of a name: of the skin itself or the nearest parent that has it, the idiom's variant before the plain
    /// one.
    ///
    /// - Parameter name: relative to the folder `assets`.
    public func asset(_ name: String) -> SkinAsset? { findAsset(name) }
}

/// Why a value can't be read: a warning, which costs that value and nothing else.
public struct ObjectError: Error {
    public let code: ErrorCode
    /// A clause that goes on after the value's place, such as `'blue' is no number`.
    public let reason: String

    public static func bad(_ reason: String) -> ObjectError { ObjectError(code: .skinBadValue, reason: reason) }
    public static func noAsset(_ name: String) -> ObjectError {
        ObjectError(
            code: .skinUnknownAsset,
            reason: "there is no asset '\(name)', neither in the skin nor in what it inherits from")
    }
}

/// What a value is written for in a style sheet.
public struct StyleContext: Sendable {
    public let vocabulary: SkinVocabulary
    /// Whether a bare number counts pixels here (``SkinParameter/isLength``).
    public let isLength: Bool
    /// The address of an asset.
    public let address: @Sendable (SkinAsset) -> String

    public init(
        vocabulary: SkinVocabulary, isLength: Bool = false, address: @escaping @Sendable (SkinAsset) -> String
    ) {
        self.vocabulary = vocabulary
        self.isLength = isLength
        self.address = address
    }
}

/// Text of strangers in a style sheet (CSS Syntax Module Level 3, 4.3.5 and 4.3.11).
public enum StyleText {
    /// As a string, in which nothing ends it early.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            // A slash ends an element `style` in a page, with what is before it; the others end the string.
            case "\u{0}"..<"\u{20}", "\u{7F}", "<": quoted += "\\" + String(scalar.value, radix: 16) + " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
