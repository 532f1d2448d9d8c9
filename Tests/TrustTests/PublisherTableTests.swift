import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// The table of a store's publishers: what it refuses, and to whom products and files belong.
@Suite struct PublisherTableTests {
    private static let keys = RoleKeys(keyIDs: ["key"], threshold: 1)

    /// Returns a delegation as a store's owner would write it, with what a test changes.
    private static func delegation(
        _ name: String, _ prefix: String? = "org.example.", patterns: [String]? = nil, isTerminating: Bool = true
    ) -> Delegation {
        let patterns = patterns ?? ["publishers/\(name)/*"]
        return Delegation(
            role: name, keys: keys, isTerminating: isTerminating, paths: .patterns(patterns.map(PathPattern.init)),
            identifierPrefix: prefix)
    }

    private static func table(_ delegations: Delegation..., files: [String] = []) throws -> PublisherTable {
        try PublisherTable(delegations: delegations, files: files)
    }

    /// Returns the template of the error that the body throws.
    private static func refusal(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) -> ErrorTemplate? {
        #expect(throws: StoreError.self, sourceLocation: sourceLocation, performing: body)?.template
    }

    private static func refusal(
        of delegations: Delegation..., files: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) -> ErrorTemplate? {
        refusal(sourceLocation: sourceLocation) { _ = try PublisherTable(delegations: delegations, files: files) }
    }

    // MARK: What makes a table

    @Test func `a table names its publishers with their prefixes and directories`() throws {
        let table = try Self.table(
            Self.delegation("zoo", "org.example."), Self.delegation("a-1", "com.example.", patterns: nil),
            files: ["catalogue.json"])
        #expect(!table.isEmpty)
        #expect(table.publishers.map(\.name) == ["a-1", "zoo"])
        let zoo = try table.publisher(named: "zoo")
        #expect(zoo.identifierPrefix == "org.example." && zoo.directory == "publishers/zoo")
        #expect(zoo.keys == Self.keys)
    }

    @Test(arguments: [
        "", "Zoo", "a_b", "a.b", "a/b", "..", "\u{212A}", "caf\u{E9}", "a b", String(repeating: "a", count: 65),
    ])
    func `a publisher's name has 1 to 64 small letters, digits and hyphens`(name: String) throws {
        #expect(Self.refusal(of: Self.delegation(name)) == .trustPublisherName)
        #expect(!(try Self.table(Self.delegation(String(repeating: "a", count: 64))).isEmpty))
    }

    @Test(arguments: TopLevelRole.allCases)
    func `a publisher does not have the name of a top-level role`(role: TopLevelRole) {
        #expect(Self.refusal(of: Self.delegation(role.rawValue)) == .trustPublisherName)
    }

    @Test(arguments: [
        [], ["*"], ["*/*/*"], ["publishers/*/*"], ["publishers/zoo/*", "publishers/other/*"], ["publishers/zo?/*"],
        ["publishers/zoo"], ["publishers/zoo/"], ["publishers/zoo/*", "*"], ["publishers/zoo/*/*/*"],
        ["publishers/zoo/*.json"], ["publishers/[z]oo/*"], ["/publishers/zoo/*"],
    ])
    func `a publisher is trusted for its own directory only`(patterns: [String]) {
        #expect(Self.refusal(of: Self.delegation("zoo", patterns: patterns)) == .trustPublisherPaths)
    }

    @Test func `files are not compared with each repetition of a pattern`() throws {
        let patterns = [String](repeating: "publishers/zoo/*", count: 20_000) + ["publishers/zoo/*/*"]
        let table = try Self.table(Self.delegation("zoo", patterns: patterns))
        for number in 0..<20_000 { try table.check(path: "publishers/zoo/a/\(number)", from: "zoo") }
    }

    @Test func `a publisher is not trusted for paths by their hashes`() {
        let delegation = Delegation(
            role: "zoo", keys: Self.keys, isTerminating: true, paths: .hashPrefixes([""]),
            identifierPrefix: "org.example.")
        #expect(Self.refusal(of: delegation) == .trustPublisherPaths)
    }

    @Test func `the delegation to a publisher is terminating`() {
        #expect(Self.refusal(of: Self.delegation("zoo", isTerminating: false)) == .trustPublisherNotTerminating)
    }

    @Test func `all delegations of a store with publishers have a prefix`() {
        let zoo = Self.delegation("zoo")
        #expect(Self.refusal(of: zoo, Self.delegation("other", nil)) == .trustPublisherNoPrefix)
        #expect(
            Self.refusal(of: Self.delegation("images", nil, patterns: ["images/*"]), zoo) == .trustPublisherNoPrefix)
        // A delegation of the publishers' paths makes a store one with publishers, too.
        #expect(Self.refusal(of: Self.delegation("other", nil)) == .trustPublisherNoPrefix)
    }

    @Test(arguments: [
        "", ".", "..", "org.example", "org..example.", ".org.", "org.example. ", "org/example.", "org.exampl\u{E9}.",
        "org.\u{212A}.", "*.", "org.example.\u{301}", "org\n.",
    ])
    func `a prefix consists of words of identifiers with a full stop after each`(prefix: String) {
        #expect(Self.refusal(of: Self.delegation("zoo", prefix)) == .trustPublisherPrefix)
    }

    @Test(arguments: [
        ("org.example.", "org.example."), ("org.example.", "org.example.cats."), ("org.example.cats.", "org.example."),
        ("org.", "org.example.cats."), ("org.Example.", "org.example."), ("ORG.", "org.example."),
    ])
    func `prefixes that overlap are refused`(first: String, second: String) {
        let pair = [Self.delegation("a", first), Self.delegation("b", second)]
        let others = [Self.delegation("m", "org.exampl."), Self.delegation("n", "org.example-2.")]
        for delegations in [pair, pair.reversed(), [pair[0]] + others + [pair[1]]] {
            let refusal = Self.refusal { _ = try PublisherTable(delegations: delegations, files: []) }
            #expect(refusal == .trustPublisherOverlap)
        }
    }

    @Test func `prefixes that differ in one word do not overlap`() throws {
        let prefixes = ["org.example.", "org.example2.", "org.exampl.", "org.example-2.", "com.org.example."]
        let delegations = prefixes.enumerated().map { Self.delegation("p\($0)", $1) }
        #expect(try PublisherTable(delegations: delegations, files: []).publishers.count == prefixes.count)
    }

    @Test func `two publishers of one name are refused`() {
        let refusal = Self.refusal(of: Self.delegation("zoo"), Self.delegation("zoo", "com.example."))
        #expect(refusal == .trustPublisherRepeated)
    }

    @Test func `the store's owner lists no files in the publishers' directory`() throws {
        let refusal = Self.refusal(of: Self.delegation("zoo"), files: ["a", "publishers/zoo/index.json"])
        #expect(refusal == .trustPublisherFile)
        #expect(Self.refusal(of: Self.delegation("zoo"), files: ["publishers/x"]) == .trustPublisherFile)
        #expect(!(try Self.table(Self.delegation("zoo"), files: ["publishers.json", "a/publishers/x"]).isEmpty))
    }

    @Test func `delegations of a store without publishers are the owner's`() throws {
        let table = try Self.table(
            Self.delegation("Images", nil, patterns: ["images/*"], isTerminating: false), files: ["publishers/x"])
        #expect(table.isEmpty && table.owner(of: "org.example.cats") == nil)
        try table.checkOwn(productIdentifier: "org.example.cats")
    }

    // MARK: Products and files

    @Test func `a publisher offers products within its prefix only`() throws {
        let table = try Self.table(Self.delegation("zoo"), Self.delegation("other", "com.example."))
        try table.check(productIdentifier: "org.example.cats", from: "zoo")
        try table.check(productIdentifier: "org.example.cats.caf\u{E9}", from: "zoo")
        for identifier in ["com.example.cats", "org.examples.cats", "org.example", "Org.example.cats", "", "cats"] {
            let refusal = Self.refusal { try table.check(productIdentifier: identifier, from: "zoo") }
            #expect(refusal == .trustPublisherProduct, "\(identifier)")
        }
        #expect(
            Self.refusal { try table.check(productIdentifier: "org.example.x", from: "Zoo") } == .trustPublisherUnknown)
    }

    @Test func `identifiers of equal characters but other bytes are not within a prefix`() throws {
        let table = try Self.table(Self.delegation("zoo", "org.K."))
        let kelvin = "org.\u{212A}.cats"
        #expect(kelvin == "org.K.cats" && kelvin.hasPrefix("org.K."))
        #expect(Self.refusal { try table.check(productIdentifier: kelvin, from: "zoo") } == .trustPublisherProduct)
        #expect(table.owner(of: kelvin) == nil)
        // The program would take it for the publisher's product.
        #expect(Self.refusal { try table.checkOwn(productIdentifier: kelvin) } == .trustOwnerProduct)
        // Bytes count, although the full stop and the accent are one character.
        try table.check(productIdentifier: "org.K.\u{301}cats", from: "zoo")
        #expect(table.owner(of: "org.K.\u{301}cats")?.name == "zoo")
    }

    @Test func `the store's own catalogue offers nothing within a publisher's prefix`() throws {
        let table = try Self.table(Self.delegation("zoo"), Self.delegation("other", "com.example."))
        #expect(table.owner(of: "org.example.cats")?.name == "zoo")
        #expect(table.owner(of: "com.example.cats")?.name == "other")
        #expect(Self.refusal { try table.checkOwn(productIdentifier: "org.example.cats") } == .trustOwnerProduct)
        #expect(Self.refusal { try table.checkOwn(productIdentifier: "org.example.") } == .trustOwnerProduct)
        for identifier in ["net.example.cats", "org.example", "a", "z", "", "org.example2.cats", "com.exampl"] {
            #expect(table.owner(of: identifier) == nil)
            try table.checkOwn(productIdentifier: identifier)
        }
    }

    @Test func `a publisher lists files in its own directory only`() throws {
        let deep = ["publishers/other/*", "publishers/other/*/*"]
        let table = try Self.table(Self.delegation("zoo"), Self.delegation("other", "com.", patterns: deep))
        try table.check(path: "publishers/zoo/index.json", from: "zoo")
        try table.check(path: "publishers/other/index.json", from: "other")
        try table.check(path: "publishers/other/shards/0_a-b.json", from: "other")
        for path in [
            "publishers/other/index.json", "publishers/zoo/a/b", "publishers/zoo", "publishers/zoo/", "index.json", "",
            "publishers/zoo/..", "publishers/zoo/.", "publishers/zoo/.hidden", "publishers/zoo/a b",
            "publishers/zoo/%2e%2e", "publishers/zoo/a\\b", "/publishers/zoo/a", "publishers//zoo/a",
        ] {
            #expect(Self.refusal { try table.check(path: path, from: "zoo") } == .trustPublisherPath, "\(path)")
        }
        for path in [
            "publishers/other/../zoo", "publishers/other/a/..", "publishers/other//a", "publishers/other/a/b/c",
        ] {
            #expect(Self.refusal { try table.check(path: path, from: "other") } == .trustPublisherPath, "\(path)")
        }
        #expect(Self.refusal { try table.check(path: "publishers/x/a", from: "x") } == .trustPublisherUnknown)
    }

    @Test func `a delegation to a publisher is made only if it is valid`() throws {
        let delegation = try Delegation.publisher("zoo", identifierPrefix: "org.example.", keys: Self.keys)
        try Self.table(delegation).check(path: "publishers/zoo/index.json", from: "zoo")
        let deep = try Delegation.publisher("zoo", identifierPrefix: "a.", keys: Self.keys, hasDirectories: true)
        try Self.table(deep).check(path: "publishers/zoo/shards/1.json", from: "zoo")
        let name = Self.refusal { _ = try Delegation.publisher("Zoo", identifierPrefix: "a.", keys: Self.keys) }
        #expect(name == .trustPublisherName)
        let prefix = Self.refusal { _ = try Delegation.publisher("zoo", identifierPrefix: "a", keys: Self.keys) }
        #expect(prefix == .trustPublisherPrefix)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `each identifier is accepted from exactly one publisher, or belongs to the owner`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b", "ab", "A", "a-b", "0", "_"]
        func dotted(_ words: [String], count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random)! }
                .joined(separator: ".")
        }
        var (tables, refused, offered, own) = (0, 0, 0, 0)
        for _ in 0..<400 {
            let prefixes = (0..<Int.random(in: 1...5, using: &random)).map { _ in dotted(words, count: 1...3) + "." }
            let overlaps = prefixes.indices.contains { i in
                prefixes.indices.contains { $0 != i && prefixes[$0].lowercased().hasPrefix(prefixes[i].lowercased()) }
            }
            let delegations = prefixes.enumerated().map { Self.delegation("p\($0)", $1) }
            guard let table = try? PublisherTable(delegations: delegations, files: []) else {
                #expect(overlaps, "\(prefixes)")
                refused += 1
                continue
            }
            #expect(!overlaps, "\(prefixes)")
            tables += 1
            for _ in 0..<40 {
                let identifier = dotted(words + ["", "\u{E9}", "b\u{301}", "\u{1F431}"], count: 0...5)
                let accepting = delegations.map(\.role).filter {
                    (try? table.check(productIdentifier: identifier, from: $0)) != nil
                }
                let isOwn = (try? table.checkOwn(productIdentifier: identifier)) != nil
                #expect(accepting.count == (isOwn ? 0 : 1), "\(prefixes) \(identifier)")
                #expect(table.owner(of: identifier)?.name == accepting.first, "\(prefixes) \(identifier)")
                // All prefixes and identifiers here are of characters that nothing else equals.
                let expected = prefixes.firstIndex { identifier.utf8.starts(with: $0.utf8) }.map { "p\($0)" }
                #expect(accepting.first == expected, "\(prefixes) \(identifier)")
                if isOwn { own += 1 } else { offered += 1 }
            }
        }
        #expect(tables > 0 && refused > 0 && offered > 0 && own > 0)
    }
}
