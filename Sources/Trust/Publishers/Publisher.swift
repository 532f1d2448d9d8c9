public import StoreModel

/// A publisher of a store: a delegated role that signs its own files, and may offer products of one identifier prefix.
public struct Publisher: Sendable {
    /// The name of the delegated role, such as `example`: 1 to 64 of `a` to `z`, `0` to `9` and `-`.
    public let name: String
    /// The beginning of the identifiers of the publisher's products, such as `org.example.`.
    public let identifierPrefix: String
    /// The keys that are trusted for the publisher's metadata.
    public let keys: RoleKeys
    private let patterns: [PathPattern]

    /// The directory of the files of all publishers, relative to the URL of the store's target files.
    public static let directory = "publishers"

    /// The directory of the publisher's files, such as `publishers/example`.
    public var directory: String { "\(Self.directory)/\(name)" }

    /// Reads the publisher that a delegation of the top-level targets describes.
    ///
    /// - Throws: `trust.publishers` if the delegation is not limited to the publisher's directory and to one prefix.
    init(_ delegation: Delegation) throws(StoreError) {
        let name = delegation.role
        guard let prefix = delegation.identifierPrefix else {
            throw StoreError(
                .trustPublisherNoPrefix,
                ["publisher": .untrusted(name), "member": Delegation.identifierPrefixMember])
        }
        guard Self.isName(name) else { throw StoreError(.trustPublisherName, ["publisher": .untrusted(name)]) }
        let expected = Self.pattern(name)
        guard case .patterns(let patterns) = delegation.paths, !patterns.isEmpty,
            patterns.allSatisfy({ Self.isEqual($0.text, expected) || Self.isEqual($0.text, expected + "/*") })
        else {
            throw StoreError(.trustPublisherPaths, ["publisher": .untrusted(name), "expected": .untrusted(expected)])
        }
        guard delegation.isTerminating else {
            throw StoreError(.trustPublisherNotTerminating, ["publisher": .untrusted(name)])
        }
        guard Self.isIdentifierPrefix(prefix) else {
            throw StoreError(
                .trustPublisherPrefix, ["publisher": .untrusted(name), "prefix": .untrusted(prefix)])
        }
        self.name = name
        identifierPrefix = prefix
        keys = delegation.keys
        // Each of the two once: a table may repeat them many thousand times, and each file would be compared with all.
        self.patterns = Array(Set(patterns))
    }

    /// The delegation with which the top-level targets name the publisher.
    var delegation: Delegation {
        Delegation(
            role: name, keys: keys, isTerminating: true, paths: .patterns(patterns), identifierPrefix: identifierPrefix)
    }

    /// Returns whether a product identifier, compared as UTF-8 bytes, begins with the publisher's prefix.
    public func owns(productIdentifier: String) -> Bool {
        productIdentifier.utf8.starts(with: identifierPrefix.utf8)
    }

    /// Returns whether a path is one of the publisher's files.
    ///
    /// Names of files and directories consist of letters and digits of ASCII, `.`, `_` and `-`, and don't begin with
    /// `.`, so that no client or server takes a path such as `publishers/a/../b` for one of another directory.
    public func owns(path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.first != UInt8(ascii: ".") && !$0.isEmpty && $0.allSatisfy(Self.isPlain) }) else {
            return false
        }
        return patterns.contains { $0.matches(path) }
    }

    /// Checks that a product identifier is within the publisher's prefix.
    ///
    /// - Throws: `trust.publisher-scope`.
    func check(productIdentifier: String) throws(StoreError) {
        guard owns(productIdentifier: productIdentifier) else {
            throw StoreError(
                .trustPublisherProduct,
                [
                    "publisher": .untrusted(name), "product": .untrusted(productIdentifier),
                    "prefix": .untrusted(identifierPrefix),
                ])
        }
    }

    /// Checks that a path is one of the publisher's files.
    ///
    /// - Throws: `trust.publisher-scope`.
    func check(path: String) throws(StoreError) {
        guard owns(path: path) else {
            throw StoreError(.trustPublisherPath, ["publisher": .untrusted(name), "file": .untrusted(path)])
        }
    }

    // MARK: Forms

    /// Returns the pattern of the paths of a publisher's files; they may also be one directory deeper.
    static func pattern(_ name: String) -> String { "\(directory)/\(name)/*" }

    /// Returns whether a text can be the name of a publisher.
    static func isName(_ text: String) -> Bool {
        TopLevelRole(rawValue: text) == nil && (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Returns whether a text can be an identifier prefix: one or several words, each with a `.` after it.
    static func isIdentifierPrefix(_ text: String) -> Bool {
        var parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count > 1, parts.removeLast().isEmpty else { return false }
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isPlain) }
    }

    /// Returns whether a byte is a character that identifiers of published products consist of.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns whether two texts have the same bytes; Swift's strings are equal if their characters are.
    private static func isEqual(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}

extension Delegation {
    /// Creates the delegation to a publisher, with which the top-level targets name the publisher.
    ///
    /// ```swift
    /// let delegation = try Delegation.publisher(
    ///     "example", identifierPrefix: "org.example.", keys: RoleKeys(keyIDs: [key.identifier], threshold: 1))
    /// ```
    ///
    /// - Parameter hasDirectories: whether the publisher's files may also be one directory deeper.
    /// - Throws: `trust.publishers` if the name or the prefix is not valid.
    public static func publisher(
        _ name: String, identifierPrefix: String, keys: RoleKeys, hasDirectories: Bool = false
    ) throws(StoreError) -> Delegation {
        let pattern = Publisher.pattern(name)
        let patterns = hasDirectories ? [pattern, pattern + "/*"] : [pattern]
        let delegation = Delegation(
            role: name, keys: keys, isTerminating: true, paths: .patterns(patterns.map(PathPattern.init)),
            identifierPrefix: identifierPrefix)
        _ = try Publisher(delegation)
        return delegation
    }
}
