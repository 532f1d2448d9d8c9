import StoreModel

/// The value of a setting: a number, a Boolean or a text.
public enum SettingValue: Sendable, Hashable, CustomStringConvertible {
    case integer(Int)
    case bool(Bool)
    case text(String)

    /// The setting's value written as text.
    public var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .text(let text): text
        }
    }
}

/// The unit of a setting's number, such as bytes.
public enum SettingUnit: String, Sendable {
    case bytes, seconds, milliseconds, days
    case bytesPerSecond = "bytes a second"

    /// The unit in messages, a text that has translations.
    var text: String {
        switch self {
        case .bytes: EnglishText.filled("bytes")
        case .seconds: EnglishText.filled("seconds")
        case .milliseconds: EnglishText.filled("milliseconds")
        case .days: EnglishText.filled("days")
        case .bytesPerSecond: EnglishText.filled("bytes a second")
        }
    }
}

/// The rule for the values that a setting allows.
public enum SettingRule: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case bool
    case word([String])
    /// The setting allows a directory name extension: 1 to 32 ASCII letters and digits.
    case folderExtension
    /// The setting allows a product identifier: 1 to 200 bytes without white space.
    case identifier
    /// The setting allows a product identifier, as ``identifier``, or an empty text.
    case optionalIdentifier
    /// The setting allows bandwidth shares of product kinds, such as `sticker=50,skin=30,emoji=20`, or an empty text.
    case shares
    /// The setting allows a proxy in curl's syntax, or an empty text.
    case proxy
    /// The setting allows host names in curl's syntax, separated by commas, or an empty text.
    case hosts
    /// The setting allows the absolute path of a file, or an empty text.
    case path
    /// The setting allows origins (RFC 6454) of web pages, separated by commas, or an empty text.
    case origins

    /// Returns whether the rule allows a value of the setting.
    func allows(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.shares, .text(let text)): (try? SettingShares(text)) != nil
        case (.proxy, .text(let text)): text.isEmpty || ProxyAddress(text) != nil
        case (.hosts, .text(let text)): text.utf8.allSatisfy { (33...126).contains($0) || $0 == 32 }
        case (.identifier, .text(let text)):
            (1...200).contains(text.utf8.count)
                && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 32 }
        case (.optionalIdentifier, .text(let text)): text.isEmpty || SettingRule.identifier.allows(value)
        case (.path, .text(let text)): text.isEmpty || (text.hasPrefix("/") && !text.utf8.contains(0))
        case (.origins, .text(let text)): text.split(whereSeparator: { $0 == "," || $0 == " " }).allSatisfy(isOrigin)
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.bool, .bool): true
        case (.word(let words), .text(let text)): words.contains(text)
        case (.folderExtension, .text(let text)):
            (1...32).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        default: false
        }
    }

    /// Returns whether a text is an origin as browsers send it: `http` or `https`, a host, and optionally a port that is not
    /// the scheme's own.
    private func isOrigin(_ text: Substring) -> Bool {
        guard let end = text.range(of: "://"), let own = ["http": 80, "https": 443][text[..<end.lowerBound]] else {
            return false
        }
        let authority = text[end.upperBound...]
        let host = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        if let colon = host.lastIndex(of: ":") {
            let text = host[host.index(after: colon)...]
            // Without a sign and leading zeros, which no browser sends.
            guard let port = UInt16(text), String(port) == text, port != own, port > 0 else { return false }
        }
        return !authority.isEmpty && authority.first != ":" && authority.utf8.allSatisfy { (33...126).contains($0) }
            && !authority.contains { "/?#@*".contains($0) }
    }

    /// Returns what is wrong with the text of a setting's value; `nil` if ``allowed`` says all there is to say.
    func defect(of text: String) -> String? {
        guard self == .shares else { return nil }
        do {
            _ = try SettingShares(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// A description of the values that the setting allows, for messages; a text that has translations.
    public var allowed: String {
        switch self {
        case .integer(let range):
            EnglishText.filled(
                "a whole number from {minimum} to {maximum}",
                ["minimum": "\(range.lowerBound)", "maximum": "\(range.upperBound)"])
        case .bool: EnglishText.filled("true or false")
        case .word(let words): EnglishText.filled("one of {words}", ["words": words.joined(separator: ", ")])
        case .folderExtension: EnglishText.filled("1 to 32 letters and digits")
        case .identifier: EnglishText.filled("1 to 200 bytes without white space")
        case .optionalIdentifier: EnglishText.filled("nothing, or 1 to 200 bytes without white space")
        case .shares:
            EnglishText.filled(
                "nothing, or kinds with percentages that sum to 100, such as sticker=50,skin=30,emoji=20")
        case .proxy:
            EnglishText.filled(
                "nothing, or [scheme://]host[:port], the scheme one of http, https, socks4, socks4a, socks5 and socks5h"
            )
        case .hosts: EnglishText.filled("nothing, or names of hosts with commas between them, or *")
        case .path: EnglishText.filled("nothing, or the absolute path of a file")
        case .origins:
            EnglishText.filled("nothing, or origins such as https://chat.example with commas between them")
        }
    }
}
