import StoreModel
import StoreTestSupport
import Testing

@Suite struct VersionTests {
    /// The examples of semver.org 2.0.0, clause 11, and their consequences.
    private static let semantic = [
        "0.0.0-0", "0.0.0", "0.0.1", "0.1.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
        "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1-x-y", "1.0.1", "1.9.0", "1.10.0", "1.11.0",
        "2.0.0", "2.1.0", "2.1.1", "10.0.0", "99999999999999999999999.0.0",
    ]

    @Test func `semantic versions are ordered as semver.org says`() { expectOrder(Self.semantic) }

    @Test func `other versions are compared number by number`() {
        expectOrder(["0.9", "1", "1.0.0.1", "1.9", "1.10", "2.0", "2024.01", "2024.2", "20240101", "20240101120000"])
        expectOrder(["1.0a", "1.0b", "1.0rc1", "1.0rc2", "1.0", "1.0.1"])
        expectOrder(["1rc", "1", "2"])
    }

    @Test func `a pre-release is one by semantic versioning only`() {
        for version in Self.semantic { #expect(Version(version).isPreRelease == version.contains("-")) }
        for version in ["1.0-beta", "1-2", "1.0rc1", "2024-01", "", "1.0.0+build-1", "1.0.0-"] {
            #expect(!Version(version).isPreRelease, "\(version)")
        }
    }

    @Test(arguments: [
        ("1", "1.0"), ("1.0", "1.0.0"), ("01.2.3", "1.2.3"),
        ("1.0.0+build.1", "1.0.0+build.2"), ("0.0.0+1", "0.0.0"), ("0.0.0-0+5", "0.0.0-0"), ("", "0"),
        ("1-2", "1.2"), ("1.0rc0", "1.0rc"),
    ])
    func `spellings of the same version are equal`(a: String, b: String) {
        #expect(Version(a) == Version(b))
        #expect(!(Version(a) < Version(b)) && !(Version(b) < Version(a)))
        #expect(Version(a).hashValue == Version(b).hashValue)
    }

    @Test func `the order of versions is total`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for isSemantic in [true, false] {
            for _ in 0..<5000 {
                let (a, b, c) = (
                    version(isSemantic, &random), version(isSemantic, &random), version(isSemantic, &random)
                )
                let texts = Comment(rawValue: "\(a), \(b), \(c) (seed \(seed))")
                #expect([a < b, a == b, b < a].count { $0 } == 1, texts)
                if a < b, b < c { #expect(a < c, texts) }
                if a == b, b == c { #expect(a == c, texts) }
                if a == b { #expect(a.hashValue == b.hashValue, texts) }
                if a == b, b < c { #expect(a < c, texts) }
            }
        }
    }

    @Test func `equal versions have the same hash`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let (a, b) = (version(true, &random), version(false, &random))
            if a == b { #expect(a.hashValue == b.hashValue, "\(a), \(b) (seed \(seed))") }
        }
    }

    @Test func `a version keeps its spelling`() throws {
        let version = Version("01.0-β")
        #expect(String(decoding: try JSON.encode([version]), as: UTF8.self) == #"["01.0-β"]"#)
        #expect(try JSON.decode([Version].self, from: JSON.encode([version]))[0].text == "01.0-β")
    }

    private func expectOrder(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for (i, a) in texts.enumerated() {
            for (j, b) in texts.enumerated() {
                #expect((Version(a) < Version(b)) == (i < j), "\(a) < \(b)", sourceLocation: sourceLocation)
                #expect((Version(a) == Version(b)) == (i == j), "\(a) == \(b)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Returns a random version of few numbers and words, so that many are equal.
    private func version(_ isSemantic: Bool, _ random: inout SeededGenerator) -> Version {
        func number() -> String { ["0", "0", "1", "2", "10", "00", "01"].randomElement(using: &random)! }
        func word() -> String { [number(), "a", "b", "rc1", "rc", "x-1"].randomElement(using: &random)! }
        guard isSemantic else {
            // Never three plain numbers, which would be a semantic version.
            let count = [1, 2, 4, 5].randomElement(using: &random)!
            let core = (0..<count).map { _ in number() }.joined(separator: ".")
            return Version(core + ["", "", "a", "rc1", "-b.0", ".0rc"].randomElement(using: &random)!)
        }
        var text = "\(number()).\(number()).\(number())"
        if Bool.random(using: &random) {
            text += "-" + (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }.joined(separator: ".")
        }
        if Bool.random(using: &random) { text += "+" + word() }
        return Version(text)
    }
}
