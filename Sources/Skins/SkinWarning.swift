public import StoreModel

/// An unknown or invalid item in a skin's files; the item is skipped, and the rest of the skin applies.
public struct SkinWarning: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem, such as `skin.unknown-operation`.
    public let code: ErrorCode
    /// The identifier of the skin that contains the file: the skin that was read, or one of its ancestors.
    public let skin: String
    /// The path of the file, relative to the skin's directory.
    public let file: String
    /// The line, counted from 1; `nil` if the warning concerns the whole file.
    public let line: Int?
    /// A description of the problem.
    public let message: String

    /// The warning in the format of compilers: `chat.xml:12: … [code]`.
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(message) [\(code.rawValue)]" }
}

/// A file of a skin, to which warnings refer.
struct SkinFile {
    let skin: String
    let name: String

    init(_ directory: SkinDirectory, _ name: String) {
        skin = directory.identifier
        self.name = name
    }

    /// Creates a warning about the file.
    func warning(_ code: ErrorCode, _ line: Int?, _ message: String) -> SkinWarning {
        SkinWarning(code: code, skin: skin, file: name, line: line, message: message)
    }
}

/// The reason why a value is skipped; the caller adds its location.
struct InvalidValue: Error {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// A list of distinct warnings: a class that several components use is checked once for each of them.
struct WarningList {
    private var seen: Set<SkinWarning> = []

    /// Adds a warning, unless the list contains it or has reached ``SkinLimits/warnings``.
    mutating func add(_ warning: SkinWarning) {
        if seen.count < SkinLimits.warnings { seen.insert(warning) }
    }

    /// All warnings in the list, ordered by skin, file and line.
    var all: [SkinWarning] {
        seen.sorted {
            ($0.skin, $0.file, $0.line ?? 0, $0.code.rawValue, $0.message)
                < ($1.skin, $1.file, $1.line ?? 0, $1.code.rawValue, $1.message)
        }
    }
}
