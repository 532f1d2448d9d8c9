import StoreModel

/// A file of a skin, for messages.
struct SkinFile {
    let skin: String
    let name: String

    init(_ folder: SkinFolder, _ name: String) {
        skin = folder.identifier
        self.name = name
    }

    func warning(_ code: ErrorCode, _ line: Int?, _ message: String) -> SkinWarning {
        SkinWarning(code: code, skin: skin, file: name, line: line, message: message)
    }
}

/// What is wrong with one value, without its place.
struct SkinRemark: Error {
    let code: ErrorCode
    let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Warnings, each once: what several components share is looked at for each of them.
struct WarningList {
    private var seen: Set<SkinWarning> = []

    mutating func add(_ warning: SkinWarning) {
        if seen.count < SkinLimits.warnings { seen.insert(warning) }
    }

    /// By skin, file and line.
    var all: [SkinWarning] {
        seen.sorted {
            ($0.skin, $0.file, $0.line ?? 0, $0.code.word, $0.message)
                < ($1.skin, $1.file, $1.line ?? 0, $1.code.word, $1.message)
        }
    }
}
