public import StoreModel

/// The publishers of a store, each with the identifier prefix of its products, as the top-level targets sign them.
///
/// No two publishers can offer one product or sign one file, so that a publisher's key is of no use against the products
/// of another publisher or of the store's owner.
///
/// ```swift
/// let publishers = try metadata.publishers()
/// try publishers.check(productIdentifier: "org.example.cats", from: "example")
/// ```
public struct PublisherTable: Sendable {
    /// The publishers in the order of their prefixes' bytes.
    public let publishers: [Publisher]
    /// The positions by name, whose characters no others equal canonically.
    private let positions: [String: Int]

    /// Whether the store has no publishers beside its owner.
    public var isEmpty: Bool { publishers.isEmpty }

    /// Reads the publishers that verified top-level targets delegate to.
    ///
    /// - Throws: `trust.publishers`.
    public init(_ targets: Targets) throws(StoreError) {
        try self.init(delegations: targets.delegations, files: targets.allFiles.map(\.path))
    }

    /// Reads the publishers from the delegations of top-level targets, and checks that they are kept apart.
    ///
    /// A store has publishers if one of its delegations has an identifier prefix, or paths in the publishers' directory.
    /// All of its delegations have to be publishers then: another role could sign files of a publisher, or offer
    /// products without any prefix. Without publishers, the delegations and the files are not examined.
    ///
    /// - Parameter files: the paths that the top-level targets list themselves.
    /// - Throws: `trust.publishers`.
    public init(delegations: [Delegation], files: [String]) throws(StoreError) {
        guard delegations.contains(where: Self.isPublisher) else {
            publishers = []
            positions = [:]
            return
        }
        var publishers: [Publisher] = []
        for delegation in delegations { publishers.append(try Publisher(delegation)) }
        publishers.sort { $0.identifierPrefix.utf8.lexicographicallyPrecedes($1.identifierPrefix.utf8) }
        try Self.checkOverlap(publishers)
        var positions: [String: Int] = [:]
        for (position, publisher) in publishers.enumerated() {
            guard positions.updateValue(position, forKey: publisher.name) == nil else {
                throw StoreError(.trustPublisherRepeated, ["publisher": .untrusted(publisher.name)])
            }
        }
        if let file = files.first(where: Self.isInDirectory) {
            throw StoreError(.trustPublisherFile, ["file": .untrusted(file)])
        }
        self.publishers = publishers
        self.positions = positions
    }

    private static func isInDirectory(_ path: String) -> Bool {
        path.utf8.starts(with: "\(Publisher.directory)/".utf8)
    }

    private static func isPublisher(_ delegation: Delegation) -> Bool {
        if delegation.identifierPrefix != nil { return true }
        guard case .patterns(let patterns) = delegation.paths else { return false }
        return patterns.contains { isInDirectory($0.text) }
    }

    /// Checks that no prefix begins with another one, also if the case of letters is ignored.
    ///
    /// `org.Example.` beside `org.example.` would deceive people, and file systems that ignore the case.
    private static func checkOverlap(_ publishers: [Publisher]) throws(StoreError) {
        let folded = publishers.map { (publisher: $0, bytes: lowercase($0.identifierPrefix)) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        // All texts that are sorted between a text and a longer one that begins with it begin with it, too.
        for (shorter, longer) in zip(folded, folded.dropFirst()) where longer.bytes.starts(with: shorter.bytes) {
            throw StoreError(
                .trustPublisherOverlap,
                [
                    "publisher": .untrusted(shorter.publisher.name),
                    "prefix": .untrusted(shorter.publisher.identifierPrefix),
                    "other": .untrusted(longer.publisher.name),
                    "otherPrefix": .untrusted(longer.publisher.identifierPrefix),
                ])
        }
    }

    private static func lowercase(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    // MARK: Queries

    /// Returns the publisher of a name.
    ///
    /// - Throws: `trust.unknown-publisher` if the store has none of that name, for instance not any more.
    public func publisher(named name: String) throws(StoreError) -> Publisher {
        guard let position = positions[name] else {
            throw StoreError(.trustPublisherUnknown, ["publisher": .untrusted(name)])
        }
        return publishers[position]
    }

    /// Returns the only publisher who may offer a product; `nil` if it is the store's owner.
    ///
    /// The time is proportional to the logarithm of the number of publishers.
    public func owner(of productIdentifier: String) -> Publisher? {
        // No prefix begins with another one, so that none is sorted between an identifier and its prefix.
        var (low, high) = (0, publishers.count)
        while low < high {
            let middle = (low + high) / 2
            if productIdentifier.utf8.lexicographicallyPrecedes(publishers[middle].identifierPrefix.utf8) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        guard low > 0, publishers[low - 1].owns(productIdentifier: productIdentifier) else { return nil }
        return publishers[low - 1]
    }

    /// Returns the delegations of a path: the one to the publisher in whose directory it is, or none.
    ///
    /// The time does not depend on the number of publishers.
    func delegations(of path: String) -> [Delegation] {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let position = positions[String(decoding: parts[1], as: UTF8.self)] else { return [] }
        let delegation = publishers[position].delegation
        return delegation.covers(path) ? [delegation] : []
    }

    // MARK: Checks

    /// Checks that a publisher may offer a product: its identifier, as UTF-8 bytes, is within the publisher's prefix.
    ///
    /// - Throws: `trust.publisher-scope`, or `trust.unknown-publisher`.
    public func check(productIdentifier: String, from name: String) throws(StoreError) {
        try publisher(named: name).check(productIdentifier: productIdentifier)
    }

    /// Checks that the store's own catalogue may offer a product: its identifier is within no publisher's prefix.
    ///
    /// - Throws: `trust.publisher-scope`.
    public func checkOwn(productIdentifier: String) throws(StoreError) {
        // Elsewhere, identifiers are equal if their characters are. The Kelvin sign is the only character outside ASCII
        // that equals one of those that prefixes consist of.
        let scalars = productIdentifier.unicodeScalars.map { $0 == "\u{212A}" ? "K" : $0 }
        var equivalent = String.UnicodeScalarView()
        equivalent.append(contentsOf: scalars)
        guard let publisher = owner(of: String(equivalent)) else { return }
        throw StoreError(
            .trustOwnerProduct, ["product": .untrusted(productIdentifier), "publisher": .untrusted(publisher.name)])
    }

    /// Checks that a publisher may sign a file: its path is in the publisher's directory.
    ///
    /// - Throws: `trust.publisher-scope`, or `trust.unknown-publisher`.
    public func check(path: String, from name: String) throws(StoreError) {
        try publisher(named: name).check(path: path)
    }

    /// Checks the verified metadata of a publisher: it lists only the publisher's own files, and delegates to no role.
    ///
    /// A delegation would let a thief of the key hand it on, and no client would know whose products a role offers.
    ///
    /// - Throws: `trust.publisher-scope`, or `trust.unknown-publisher`.
    public func check(_ targets: Targets, of name: String) throws(StoreError) {
        let publisher = try publisher(named: name)
        guard targets.delegations.isEmpty, targets.bins == nil else {
            throw StoreError(.trustPublisherDelegates, ["publisher": .untrusted(name)])
        }
        for file in targets.allFiles { try publisher.check(path: file.path) }
    }
}

extension VerifiedMetadata {
    /// Reads the publishers that the store's top-level targets delegate to.
    ///
    /// - Throws: `trust.publishers` if they are not kept apart.
    public func publishers() throws(StoreError) -> PublisherTable { try PublisherTable(targets.signed) }

    /// Returns whether the snapshot lists metadata of a publisher: whether the store has accepted a publication.
    public func hasMetadata(of publisher: Publisher) -> Bool { snapshot.signed.files[publisher.name + ".json"] != nil }
}
