public import StoreModel

/// A warning about an unknown or invalid item in a skin's files.
///
/// The item is skipped, and the rest of the skin applies.
public struct SkinWarning: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem in the skin's file, such as `skin.unknown-operation`.
    public let code: ErrorCode
    /// The identifier of the skin that contains the file with the problem: the skin that was read, or an ancestor.
    public let skin: String
    /// The path of the file with the problem, relative to the skin's directory.
    public let file: String
    /// The line of the problem in the file, counted from 1; `nil` if the warning concerns the whole file.
    public let line: Int?
    /// A description of the problem in the skin's file, in English.
    public let message: String

    /// The warning as text in the format of compilers: `chat.xml:12: … [code]`.
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(message) [\(code.rawValue)]" }
}

/// The name of a file of a skin, and the skin's identifier, to which warnings refer.
struct SkinFile {
    let skin: String
    let name: String

    init(_ directory: SkinDirectory, _ name: String) {
        skin = directory.identifier
        self.name = name
    }

    /// Creates a warning about an item in the skin's file.
    func warning(_ code: ErrorCode, _ line: Int?, _ message: String) -> SkinWarning {
        SkinWarning(code: code, skin: skin, file: name, line: line, message: message)
    }
}

/// The reason why a value in a skin is invalid and is skipped; the caller adds its location.
struct InvalidValue: Error {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// A set of warnings about a skin's files, each contained once.
///
/// A class that several components use is checked once for each of them.
struct WarningList {
    private var seen: Set<SkinWarning> = []

    /// Adds a warning about a skin, unless the list contains it or has reached ``SkinLimits/warnings``.
    mutating func add(_ warning: SkinWarning) {
        if seen.count < SkinLimits.warnings { seen.insert(warning) }
    }

    /// All warnings about the skin's files in the list, ordered by skin, file and line.
    var all: [SkinWarning] {
        seen.sorted {
            ($0.skin, $0.file, $0.line ?? 0, $0.code.rawValue, $0.message)
                < ($1.skin, $1.file, $1.line ?? 0, $1.code.rawValue, $1.message)
        }
    }
}
