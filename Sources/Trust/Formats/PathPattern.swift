/// A pattern of paths with the wildcards of a shell, none of which matches a `/` (section 4.5).
///
/// `*` matches any characters, `?` one, `[abc]`, `[a-c]` and `[!abc]` one of several, as in python-tuf.
public struct PathPattern: Sendable, Hashable {
    /// The pattern as it is written.
    public let text: String

    /// Creates a pattern of paths; any text is one.
    public init(_ text: String) { self.text = text }

    /// Returns whether the whole path matches.
    ///
    /// The time is at most proportional to the product of both lengths.
    public func matches(_ path: String) -> Bool {
        let pattern = Self.parts(text)
        let parts = Self.parts(path)
        guard pattern.count == parts.count else { return false }
        return zip(pattern, parts).allSatisfy { pattern, part in
            let scalars = Array(part)
            return Self.tokens(pattern, atMost: scalars.count).map { Self.matches($0, scalars) } ?? false
        }
    }

    private static func parts(_ text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    }

    private enum Token {
        case any
        case one
        case literal(Unicode.Scalar)
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .any, .one: true
            case .literal(let literal): literal == scalar
            case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }
    }

    /// Returns the tokens of a pattern; `nil` if more of them than a limit match one character each.
    private static func tokens(_ pattern: Substring.UnicodeScalarView, atMost limit: Int) -> [Token]? {
        var tokens: [Token] = []
        var count = 0
        var rest = pattern[...]
        let lastClosing = pattern.lastIndex(of: "]")
        while let scalar = rest.popFirst() {
            if scalar == "*" {
                if case .any? = tokens.last { continue }
                tokens.append(.any)
                continue
            }
            count += 1
            guard count <= limit else { return nil }
            switch scalar {
            case "?": tokens.append(.one)
            case "[": tokens.append(takeSet(&rest, lastClosing: lastClosing) ?? .literal(scalar))
            default: tokens.append(.literal(scalar))
            }
        }
        return tokens
    }

    /// Reads a set after its opening bracket; returns `nil` and reads nothing if no bracket closes it.
    ///
    /// - Parameter lastClosing: the last closing bracket of the pattern, so that none is searched for in vain each time.
    private static func takeSet(
        _ rest: inout Substring.UnicodeScalarView, lastClosing: Substring.UnicodeScalarView.Index?
    ) -> Token? {
        var content = rest
        let isNegated = content.first == "!"
        if isNegated { content.removeFirst() }
        // A bracket at the beginning is a member of the set.
        let others = content.dropFirst()
        guard let lastClosing, lastClosing >= others.startIndex, let end = others.firstIndex(of: "]") else {
            return nil
        }
        var members = content[..<end]
        rest = content[content.index(after: end)...]
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let low = members.popFirst() {
            if members.first == "-", let high = members.dropFirst().first {
                members = members.dropFirst(2)
                if low <= high { ranges.append(low...high) }
            } else {
                ranges.append(low...low)
            }
        }
        return .set(ranges, isNegated: isNegated)
    }

    /// Matches without recursion: after a mismatch, only the last `*` takes one more character.
    private static func matches(_ tokens: [Token], _ scalars: [Unicode.Scalar]) -> Bool {
        var (token, scalar) = (0, 0)
        var star: (token: Int, scalar: Int)?
        while scalar < scalars.count {
            if token < tokens.count, case .any = tokens[token] {
                star = (token, scalar)
                token += 1
            } else if token < tokens.count, tokens[token].matches(scalars[scalar]) {
                token += 1
                scalar += 1
            } else if let last = star {
                star = (last.token, last.scalar + 1)
                token = last.token + 1
                scalar = last.scalar + 1
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { if case .any = $0 { true } else { false } }
    }
}
