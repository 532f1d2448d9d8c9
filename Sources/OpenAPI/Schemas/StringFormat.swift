import FoundationEssentials
import StoreModel

/// The syntax that a string in a JSON value has to have to match a schema, such as that of a URI.
public enum StringFormat: Sendable, Hashable {
    case any
    case uri
    /// The string is a date and time in ISO 8601.
    case dateTime
    case permission
    case errorCode
    case storeName
    case sha256
    /// The string is the base64 encoding of one byte or more, with padding (RFC 4648, 4).
    case base64
    /// The string is the name of an access token, in at most ``StoreModel/WebToken/maximumNameLength`` characters.
    case tokenName
}

extension StringFormat {
    /// The JSON Schema keywords that express the string format, such as `format` or `pattern`.
    var keywords: [String: JSONValue] {
        switch self {
        case .any: [:]
        case .uri: ["format": "uri"]
        case .dateTime: ["format": "date-time"]
        case .permission: ["pattern": "^[a-z0-9.-]{1,64}$"]
        case .errorCode: ["pattern": #"^[a-z]+\.[a-z0-9-][A-Za-z0-9-]*$"#]
        case .storeName: ["pattern": "^(?!local$)[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$"]
        case .sha256: ["pattern": "^[0-9a-f]{64}$"]
        case .base64:
            [
                "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$",
                "contentEncoding": "base64",
            ]
        case .tokenName: ["minLength": 1, "maxLength": .integer(WebToken.maximumNameLength)]
        }
    }

    /// Returns whether a string has the format.
    ///
    /// Every string is accepted as a store's name: the engine validates the name and throws an error with a code of its
    /// own.
    func matches(_ text: String) -> Bool {
        switch self {
        case .any, .storeName: true
        case .uri: URL(string: text) != nil
        case .dateTime: ISO8601.date(text) != nil
        case .permission: Permission(rawValue: text).isWellFormed
        case .errorCode: Self.isErrorCode(text)
        case .sha256: SHA256Digest(hex: text)?.hex == text
        case .base64: Data(base64Encoded: text).map { !$0.isEmpty } ?? false
        case .tokenName: !text.isEmpty && WebToken.isShortEnough(text)
        }
    }

    private static func isErrorCode(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let dash = UInt8(ascii: "-")
        guard parts.count == 2, !parts[0].isEmpty, let first = parts[1].first else { return false }
        return parts[0].allSatisfy(letters.contains)
            && (letters.contains(first) || digits.contains(first) || first == dash)
            // With this bit set, a capital letter is the small one.
            && parts[1].allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) || $0 == dash }
    }

    /// A noun phrase for error messages that says what the string has to be, such as "a URI".
    var expectation: String {
        switch self {
        case .any: "a string"
        case .uri: "a URI"
        case .dateTime: "a date and time (ISO 8601)"
        case .permission: "a permission: up to 64 of 'a' to 'z', '0' to '9', '.' and '-'"
        case .errorCode: "an error code"
        case .storeName: "the name of a store"
        case .sha256: "64 lower-case hexadecimal digits"
        case .base64: "bytes in base64"
        case .tokenName: "a name of up to \(WebToken.maximumNameLength) characters"
        }
    }
}
