import FoundationEssentials
import StoreEmoji
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct EmojiKindTests {
    /// Returns the error with which a set with one compiled file is refused; `nil` if the set is accepted.
    private func refusal(_ file: some Sequence<UInt8>) throws -> StoreError? {
        let set = try TemporaryFolder()
        try set.directory.put("set.bin", Data(file))
        do {
            try EmojiKind().check(set.directory)
            return nil
        } catch {
            return try #require(error as? StoreError, "\(error)")
        }
    }

    /// Returns a file of version 1 with one image for each emoji.
    private func compiled(_ images: [[UInt8]], little: Bool) -> [UInt8] {
        func number(_ number: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return little ? bytes : bytes.reversed()
        }
        var offset = 5 + 15 * images.count
        var file: [UInt8] = [1] + number(images.count, 4)
        for image in images {
            file += number(0x1F600, 4) + number(0, 4) + number(offset, 4) + [0] + number(image.count, 2)
            offset += image.count
        }
        return file + images.joined()
    }

    @Test(arguments: [true, false]) func `a compiled file is accepted if all of its images are valid`(little: Bool)
        throws
    {
        let good = compiled([ImageForge.png(), ImageForge.gif()], little: little)
        #expect(try refusal(good) == nil)
        #expect(try refusal(good.dropLast(1))?.code == .emojiDamaged)
        let bad = compiled([ImageForge.png(), Array("MZ".utf8)], little: little)
        #expect(try refusal(bad)?.code == .imageUnknown)
    }
}
