import StoreModel
import Testing

@testable import StoreTransfers

@Suite struct PrefixDigestsTests {
    private let sha256 = SHA256Digest(of: [])

    @Test(arguments: [1, 100, 256 << 10, 5 << 20, 300 << 20])
    func `few prefixes are recorded, the last one among them, and none is far from the next`(piece: Int) {
        var digests = PrefixDigests()
        for number in 1...3000 {
            let size = number * piece
            digests.append(size: size, sha256: sha256)
            let sizes = digests.prefixes.map(\.size)
            #expect(sizes.count <= PrefixDigests.limit && sizes.last == size && sizes == sizes.sorted())
            // What a power cut costs beyond the bytes that it took.
            let gaps = zip([0] + sizes, sizes).map { $1 - $0 }
            #expect(gaps.max()! <= max(16 << 20, size / 4, 2 * piece))
        }
    }

    @Test func `a file that does not grow is recorded once`() {
        var digests = PrefixDigests()
        digests.append(size: 0, sha256: sha256)
        #expect(digests.prefixes.isEmpty)
        for _ in 0..<3 { digests.append(size: 10, sha256: sha256) }
        #expect(digests.prefixes.map(\.size) == [10])
        digests.append(size: 9, sha256: sha256)
        #expect(digests.size == 10)
        digests.truncate(to: 9)
        #expect(digests.prefixes.isEmpty)
    }

    @Test func `prefixes survive encoding and decoding`() throws {
        var digests = PrefixDigests()
        for number in 1...5 { digests.append(size: number << 30, sha256: SHA256Digest(of: [UInt8(number)])) }
        #expect(try #require(PrefixDigests(text: digests.text + " rest of a longer one")).prefixes == digests.prefixes)
        let hex = sha256.hex
        for text in ["", "1:\(hex)", "1:\(hex) 1:\(hex) .", "0:\(hex) .", "-1:\(hex) .", "1 .", "1:00 .", "\(hex) ."] {
            #expect(PrefixDigests(text: text) == nil, "\(text)")
        }
    }
}
