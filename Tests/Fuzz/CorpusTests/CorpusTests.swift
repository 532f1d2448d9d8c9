import StoreSystem
import Testing

/// The fuzzing targets handle the inputs that the fuzzer kept, also without the fuzzer and its sanitizer.
///
/// A finding ends the test process, with the line of the target that found it.
@Suite("Corpora of the fuzzing targets", .serialized)
struct CorpusTests {
    private static let corpora = #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Corpora"

    @Test("each kept input is handled", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let corpus = try Directory.open("/\(Self.corpora)/\(name)")
        let inputs = try corpus.names()
        #expect(!inputs.isEmpty)
        for input in inputs { try target.feed([UInt8](corpus.read(input))) }
    }
}
