public import StoreModel

/// Something in a skin's files that is not understood and left out; the rest of the skin applies.
public struct SkinWarning: Sendable, Hashable, CustomStringConvertible {
    public let code: ErrorCode
    /// The identifier of the skin whose file it is: the one that was read, or one that it inherits from.
    public let skin: String
    /// Relative to the skin's folder.
    public let file: String
    /// Counted from 1; `nil` where it is about the whole file.
    public let line: Int?
    /// One sentence.
    public let message: String

    /// As compilers say it: `chat.xml:12: …`.
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(message) [\(code.word)]" }
}
