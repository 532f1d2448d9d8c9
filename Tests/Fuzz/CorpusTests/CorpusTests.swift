import StoreSystem
import StoreTestSupport
import Testing

/// The fuzzing targets handle the inputs that the fuzzer kept, also without the fuzzer.
///
/// A finding ends the test process; its message names the input.
@Suite(.serialized, .hangGuard) struct CorpusTests {
    private static let corpora = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Corpora"

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `a target handles each input of its corpus`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let corpus = try Directory.open("\(Self.corpora)/\(name)")
        let inputs = try corpus.names()
        #expect(!inputs.isEmpty)
        for input in inputs {
            FuzzTarget.input.withLock { $0 = "\(name)/\(input)" }
            try target.feed([UInt8](corpus.read(input)))
        }
    }

    @Test func `each corpus belongs to a target`() throws {
        #expect(try Set(Directory.open(Self.corpora).names()) == Set(FuzzTarget.all.map(\.name)))
    }
}
