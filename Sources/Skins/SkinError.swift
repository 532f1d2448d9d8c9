public import StoreModel

/// Why a skin can't be read, compiled or used.
public struct SkinError: CodedError {
    public let code: ErrorCode
    public let message: String
    /// The file that it is about, relative to the skin's folder; `nil` where it is about no one file.
    public let file: String?
    /// Counted from 1; `nil` where it is about no one line.
    public let line: Int?

    init(_ code: ErrorCode, _ message: String, file: String? = nil, line: Int? = nil) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    static func vocabulary(_ message: String) -> SkinError { SkinError(.skinVocabulary, message) }
}

extension ErrorCode {
    /// No skin of that identifier is there.
    public static let skinMissing = ErrorCode("skin.not-found", .notFound)
    /// The folder has no `skin.xml`, or one that is not as it must be.
    public static let skinBadInformation = ErrorCode("skin.bad-information", .refused)
    /// More XML, or more instances, than are read of one skin.
    public static let skinTooLarge = ErrorCode("skin.too-large", .refused)
    /// A skin inherits from itself, over however many others.
    public static let skinParentLoop = ErrorCode("skin.parent-loop", .refused)
    /// What a skin inherits from is not there.
    public static let skinParentMissing = ErrorCode("skin.parent-missing", .notFound)
    /// Another skin inherits from it.
    public static let skinNeeded = ErrorCode("skin.needed", .conflict)
    /// A component, operation or type that can't be registered as it is.
    public static let skinVocabulary = ErrorCode("skin.vocabulary", .usage)
    /// A compiled skin that is not whole, or of another version of the form: it is made anew from XML.
    public static let skinCompiledDamaged = ErrorCode("skin.compiled-damaged", .refused)
    /// A skin's values are too many or too long for the compiled form.
    public static let skinCompiledTooLarge = ErrorCode("skin.compiled-too-large", .refused)

    // Of warnings.
    public static let skinUnknownElement = ErrorCode("skin.unknown-element", .refused)
    public static let skinUnknownComponent = ErrorCode("skin.unknown-component", .refused)
    public static let skinUnknownOperation = ErrorCode("skin.unknown-operation", .refused)
    public static let skinUnknownParameter = ErrorCode("skin.unknown-parameter", .refused)
    public static let skinUnknownType = ErrorCode("skin.unknown-type", .refused)
    public static let skinUnknownClass = ErrorCode("skin.unknown-class", .refused)
    public static let skinUnknownConstant = ErrorCode("skin.unknown-constant", .refused)
    public static let skinUnknownAsset = ErrorCode("skin.unknown-asset", .refused)
    public static let skinUnknownIdiom = ErrorCode("skin.unknown-idiom", .refused)
    /// A value that is not as its type, or the parameter that takes it, wants it.
    public static let skinBadValue = ErrorCode("skin.bad-value", .refused)
    /// An element without the name or identifier that it needs.
    public static let skinNameMissing = ErrorCode("skin.name-missing", .refused)
}
