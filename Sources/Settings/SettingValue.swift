/// The value of one setting.
public enum SettingValue: Sendable, Hashable, CustomStringConvertible {
    case integer(Int)
    case bool(Bool)
    case text(String)

    /// As people write it.
    public var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .text(let text): text
        }
    }
}

/// What a setting's number counts.
public enum SettingUnit: String, Sendable {
    case bytes, seconds, milliseconds, days
}

/// Which values a setting takes.
public enum SettingRule: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case bool
    case word([String])
    /// The part of a folder's name after its dot: ASCII letters and digits, 1 to 32 of them.
    case folderExtension

    func allows(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.bool, .bool): true
        case (.word(let words), .text(let text)): words.contains(text)
        case (.folderExtension, .text(let text)):
            (1...32).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        default: false
        }
    }

    /// What is allowed, in words.
    public var allowed: String {
        switch self {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bool: "true or false"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .folderExtension: "1 to 32 letters and digits"
        }
    }
}
