import StoreEmoji
import StoreModel
import StoreTestSupport
import Testing

/// Files of format 1 of emoji sets.
@Suite struct EmojiFormatOneTests {
    private typealias Item = EmojiSetDescription.Item

    private func item(_ points: String, _ bytes: [UInt8]) throws -> Item {
        Item(sequence: try #require(EmojiSequence(hexadecimal: points)), images: [try EmojiImage(bytes)])
    }

    private func set(_ groups: [[Item]]) -> EmojiSetDescription {
        EmojiSetDescription(
            groups: groups.enumerated().map { .init(name: "\($0.offset)", subgroups: [.init(emoji: $0.element)]) })
    }

    /// A GIF of 26 bytes and a GIF of 26 bytes: 5 + 2 × 15 = 35, so that the images are at 0x23 and 0x3D.
    private static let headers: [EmojiFormatOne.ByteOrder: [UInt8]] = [
        .little: [
            0x01, 0x02, 0x00, 0x00, 0x00,  // version 1, 2 emoji
            0x00, 0xF6, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,  // U+1F600
            0x23, 0x00, 0x00, 0x00, 0x00,  // at 35, category 0
            0x00, 0x00,  // size, filled in
            0xE9, 0xF1, 0x01, 0x00, 0xEA, 0xF1, 0x01, 0x00,  // U+1F1E9 U+1F1EA
            0x00, 0x00, 0x00, 0x00, 0x01,  // offset, filled in; category 1
            0x00, 0x00,
        ],
        .big: [
            0x01, 0x00, 0x00, 0x00, 0x02,
            0x00, 0x01, 0xF6, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x23, 0x00,
            0x00, 0x00,
            0x00, 0x01, 0xF1, 0xE9, 0x00, 0x01, 0xF1, 0xEA,
            0x00, 0x00, 0x00, 0x00, 0x01,
            0x00, 0x00,
        ],
    ]

    @Test(arguments: EmojiFormatOne.ByteOrder.allCases)
    func `a file equals the one that is computed by hand, to the byte`(order: EmojiFormatOne.ByteOrder) throws {
        let (first, second) = (ImageForge.gif(), ImageForge.gif(2, 1))
        #expect(first.count < 200 && second.count < 200)
        var expected = try #require(Self.headers[order])
        let low = order == .little
        expected[low ? 18 : 19] = UInt8(first.count)
        expected[low ? 28 : 31] = UInt8(35 + first.count)
        expected[low ? 33 : 34] = UInt8(second.count)
        let set = set([[try item("1F600", first)], [try item("1F1E9 1F1EA", second)]])
        #expect(try EmojiFormatOne.write(set, byteOrder: order) == expected + first + second)
        let read = try EmojiSetDescription(compiled: expected + first + second)
        #expect(read == set)
    }

    @Test func `what the format can't hold is refused with the emoji and the reason`() throws {
        let farmer = try item("1F468 200D 1F33E", ImageForge.png())
        let large = try item("1F600", ImageForge.png(1, 1, ImageForge.chunk("teXt", ImageForge.bytes(66_000))))
        for (item, part) in [(farmer, "emoji 1F468 200D 1F33E: it has 3 code points"), (large, "holds up to 65535")] {
            let error = #expect(throws: StoreError.self) { try EmojiFormatOne.write(set([[item]])) }
            #expect(error?.code == .emojiFormatOne && error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        let many = set(Array(repeating: [], count: 257))
        #expect(throws: StoreError.self) { try EmojiFormatOne.write(many) }
        #expect(throws: StoreError.self) { try EmojiFormatOne.write(set([])) }
    }

    @Test func `a file whose byte order a reader would mistake is refused`() throws {
        // 256 emoji are 0x00000100, which read in the other order is 65,536: enough for a file of that many headers.
        let image = ImageForge.png(1, 1, ImageForge.chunk("teXt", ImageForge.bytes(5_000)))
        let items = try (0..<256).map { try item(String(0x1F300 + $0, radix: 16), image) }
        let error = #expect(throws: StoreError.self) { try EmojiFormatOne.write(set([items]), byteOrder: .big) }
        #expect(error?.message.contains("byte order is ambiguous") == true)
        #expect(try EmojiSetDescription(compiled: EmojiFormatOne.write(set([items]))).items.count == 256)
    }

    @Test func `a file whose images overlap is refused`() throws {
        let image = ImageForge.png(1, 1, ImageForge.chunk("teXt", ImageForge.bytes(200)))
        var file = try EmojiFormatOne.write(set([[try item("1F600", image), try item("1F601", image)]]))
        // The second emoji has the image of the first.
        file.replaceSubrange(28..<32, with: file[13..<17])
        file.removeLast(image.count)
        let error = #expect(throws: StoreError.self) { try EmojiSetDescription(compiled: file) }
        #expect(error?.code == .emojiDamaged)
        #expect(error?.message.contains("emoji 2 (bytes 20 to 34): expected an image of its own") == true)
    }

    @Test func `a damaged file is refused with the place and what is expected there`() throws {
        var file = try EmojiFormatOne.write(set([[try item("1F600", ImageForge.png())]]))
        file[13] = 0xFF
        let error = #expect(throws: StoreError.self) { try EmojiSetDescription(compiled: file) }
        #expect(error?.code == .emojiDamaged)
        #expect(error?.message.contains("emoji 1 (bytes 5 to 19): expected an image between bytes 20 and") == true)
        #expect(throws: StoreError.self) { try EmojiSetDescription(compiled: [1, 0, 0, 0]) }
        #expect(throws: StoreError.self) { try EmojiSetDescription(compiled: []) }
    }
}
