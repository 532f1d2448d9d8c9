import Foundation
import StoreEmoji
import StoreImages
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Files of format 2 of emoji sets.
@Suite struct EmojiFileTests {
    /// Where the section table ends: after a header of 40 bytes and 14 entries of 32, with the offset and size of a section.
    private static let tableEnd = 40 + 14 * 32

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a set that is written and read again is the same, and results in the same bytes`(seed: UInt64) throws {
        let set = try EmojiSetForge.set(seed: seed, count: Int(seed) * 3)
        let bytes = try set.compiled()
        let file = try EmojiFile(bytes)
        #expect(file.problems() == [])
        let read = EmojiSetDescription(file)
        #expect(read == set)
        #expect(try read.compiled() == bytes)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `each emoji is found by its sequence, with and without variation selectors`(seed: UInt64) throws {
        let set = try EmojiSetForge.set(seed: seed, count: 60)
        let file = try EmojiFile(set.compiled())
        for (number, item) in set.items.enumerated() {
            #expect(file.number(of: item.sequence) == number)
            #expect(file.number(of: try #require(EmojiSequence(codePoints: item.sequence.key))) == number)
            #expect(file.images(number).map { file.bytes(of: $0) } == item.images.map(\.bytes))
        }
        #expect(file.number(of: try #require(EmojiSequence(text: "x"))) == nil)
        #expect(file.sequence(60) == nil && file.images(-1).isEmpty && file.category(of: 60) == nil)
    }

    @Test func `the header is as the page about the files says`() throws {
        let set = try EmojiSetForge.set(seed: 3, count: 3)
        let bytes = try set.compiled()
        #expect(bytes[..<16] == [0x89, 0x45, 0x4D, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A, 2, 0, 0, 0, 14, 0, 0, 0])
        #expect(bytes[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) } == bytes.count)
        let covered = Array(bytes[..<24]) + Array(bytes[32..<(40 + 14 * 32)])
        #expect(Array(bytes[24..<32]) == Array(SHA256Digest(of: covered).bytes[..<8]))
        // The section of the code points is the first, and begins with those of the first emoji.
        #expect(bytes[40..<48] == [1, 0, 0, 0, 4, 0, 0, 0])
        let start = bytes[48..<56].reversed().reduce(0) { $0 << 8 | Int($1) }
        let first = bytes[start..<(start + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(start == 40 + 14 * 32 && first == set.items[0].sequence.scalars[0].value)
    }

    @Test func `equal images are stored once`() throws {
        let image = try EmojiImage(ImageForge.png(9, 9, ImageForge.chunk("teXt", ImageForge.bytes(10_000))))
        let items = try (0..<10).map {
            EmojiSetDescription.Item(
                sequence: try #require(EmojiSequence(codePoints: [0x1F600 + UInt32($0)])), images: [image])
        }
        let set = EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: items)])])
        let bytes = try set.compiled()
        #expect(bytes.count < 15_000)
        let file = try EmojiFile(bytes)
        #expect(file.problems() == [])
        // Read once, too.
        let addresses = EmojiSetDescription(file).items.map { item in
            item.images[0].bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        #expect(addresses.count == 10 && Set(addresses).count == 1)
    }

    @Test func `an emoji that is there twice, or has no image, is refused`() throws {
        let image = try EmojiImage(ImageForge.png())
        func code(_ texts: [String], _ images: [EmojiImage]) throws -> ErrorCode? {
            let items = try texts.map {
                EmojiSetDescription.Item(sequence: try #require(EmojiSequence(text: $0)), images: images)
            }
            let set = EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: items)])])
            return #expect(throws: StoreError.self) { try set.compiled() }?.code
        }
        #expect(try code(["\u{2764}", "\u{2764}\u{FE0F}"], [image]) == .emojiTwice)
        #expect(try code(["😀"], []) == .emojiNoImage)
    }

    // MARK: Names and search

    private func named(_ names: [(String, String, [String])]) throws -> EmojiFile {
        let image = try EmojiImage(ImageForge.png())
        let items = try names.map { emoji, name, keywords in
            EmojiSetDescription.Item(
                sequence: try #require(EmojiSequence(text: emoji)), images: [image],
                texts: ["en": EmojiNames(name: name, keywords: keywords)])
        }
        let set = EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: items)])])
        return try EmojiFile(set.compiled())
    }

    @Test func `a search finds emoji that have all words, whole words first`() throws {
        let file = try named([
            ("😺", "grinning cat", ["face", "smiling"]), ("😀", "grinning face", ["Smile"]),
            ("🇧🇷", "flag: Brazil", ["São Paulo"]),
        ])
        func found(_ query: String, limit: Int = 10) -> [String] {
            file.search(query, language: "en", limit: limit).compactMap { file.sequence($0)?.text }
        }
        #expect(found("face") == ["😺", "😀"] && found("face", limit: 1) == ["😺"])
        #expect(found("smile") == ["😀"] && found("smil") == ["😺", "😀"])
        #expect(found("GRIN") == ["😺", "😀"] && found("grinning fa") == ["😺", "😀"])
        #expect(found("face cat") == ["😺"] && found("face dog") == [])
        #expect(found("sao") == ["🇧🇷"] && found("brazil") == ["🇧🇷"])
        #expect(found("") == [] && found(" - ") == [] && found("face", limit: 0) == [])
        #expect(file.search("face", language: "de", limit: 10) == [])
        #expect(file.names(0, language: "en") == EmojiNames(name: "grinning cat", keywords: ["face", "smiling"]))
        #expect(file.names(0, language: "de") == nil && file.names(9, language: "en") == nil)
    }

    @Test func `texts that are canonically equivalent keep their own bytes`() throws {
        let item = EmojiSetDescription.Item(
            sequence: try #require(EmojiSequence(text: "😀")), images: [try EmojiImage(ImageForge.png())],
            texts: ["ja": EmojiNames(name: "", keywords: ["か\u{3099}", "かァ"])])
        let set = EmojiSetDescription(groups: [.init(name: "\u{304C}", subgroups: [.init(emoji: [item])])])
        #expect(try EmojiFile(set.compiled()).problems() == [])
    }

    // MARK: Damage

    @Test func `languages that share texts are refused`() throws {
        var bytes = try EmojiSetForge.set(seed: 3, count: 5).compiled()
        let section = 40 + 8 * 32
        let offset = bytes[(section + 8)..<(section + 16)].reversed().reduce(0) { $0 << 8 | Int($1) }
        // The second language gets the ranges of the first.
        bytes.replaceSubrange((offset + 24)..<(offset + 40), with: Array(bytes[(offset + 4)..<(offset + 20)]))
        EmojiFileSeal.seal(&bytes)
        let problems = try EmojiFile(bytes).problems()
        #expect(problems.contains { "\($0)".contains("after those of the language before") })
    }

    @Test func `reserved fields and offsets of sections are checked`() throws {
        let bytes = try EmojiSetForge.set(seed: 3, count: 5).compiled()
        func number(at place: Int) -> Int { bytes[place..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) } }
        func problems(_ change: (inout [UInt8]) -> Void) throws -> [EmojiFileProblem] {
            var changed = bytes
            change(&changed)
            EmojiFileSeal.seal(&changed)
            return try EmojiFile(changed).problems()
        }
        #expect(try problems { $0[32] = 1 }.map(\.place) == ["bytes 32 to 39"])
        let images = number(at: 40 + 5 * 32 + 8)
        #expect(try problems { $0[images + 40 + 28] = 1 }.map(\.place) == ["section 'images', record 1"])
        let (entry, size) = (40 + 13 * 32, bytes.count + 1)
        let data = number(at: entry + 8)
        let moved = try problems { bytes in
            // The last section begins a byte later, and so the file is a byte longer.
            bytes.insert(0, at: data)
            bytes[entry + 8] += 1
            for place in 0..<8 { bytes[16 + place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
        }
        #expect(moved.map(\.place) == ["section 'data'"])
        #expect(moved.map(\.expected) == ["an offset that is a multiple of 8"])
    }

    /// Uses everything that a file offers.
    private func use(_ file: EmojiFile) {
        for number in [-1, 0, 1, file.count - 1, file.count, Int(UInt32.max)] {
            if let sequence = file.sequence(number) { _ = file.number(of: sequence) }
            for image in file.images(number) { _ = file.bytes(of: image) }
            _ = file.category(of: number)
            for language in file.languages { _ = file.names(number, language: language) }
        }
        _ = file.categories
        for language in file.languages { _ = file.search("smil", language: language, limit: 10) }
        _ = EmojiSetDescription(file)
    }

    @Test func `any prefix of a file is refused`() throws {
        let bytes = try EmojiSetForge.set(seed: 5, count: 5).compiled()
        for count in 0..<bytes.count { #expect(throws: StoreError.self) { try EmojiFile(Array(bytes[..<count])) } }
        #expect(throws: StoreError.self) { try EmojiFile(bytes + [0]) }
    }

    @Test func `a changed byte is found with its section, and nothing is read outside the file`() throws {
        let bytes = try EmojiSetForge.set(seed: 6, count: 6).compiled()
        func number(at place: Int) -> Int { bytes[place..<(place + 8)].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let sections = (0..<14).map { section in
            let start = number(at: 40 + section * 32 + 8)
            return start..<(start + number(at: 40 + section * 32 + 16))
        }
        var generator = SeededGenerator(seed: 1)
        var refused = 0
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] = damaged[place] ^ UInt8.random(in: 1...255, using: &generator)
            guard let file = try? EmojiFile(damaged) else {
                refused += 1
                #expect(place < Self.tableEnd)
                continue
            }
            use(file)
            let problem = file.problems().first
            // Between sections there may be bytes that mean nothing.
            #expect((problem != nil) == sections.contains { $0.contains(place) }, "byte \(place)")
            if let problem {
                #expect(problem.place.hasPrefix("section '"))
                #expect(problem.expected.hasPrefix("the checksum"))
                #expect(problem.error.code == .emojiDamaged)
            }
        }
        #expect(refused == Self.tableEnd, "each byte of the header and the section table")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a forged file whose checksums match is never read outside its bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try EmojiSetForge.set(seed: seed % 7, count: 8).compiled()
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let place = Int.random(in: Self.tableEnd..<bytes.count, using: &generator)
            bytes[place] = [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(
                using: &generator)!
        }
        EmojiFileSeal.seal(&bytes)
        let file = try EmojiFile(bytes)
        use(file)
        _ = file.problems()
    }

    @Test func `a mapped file has the same emoji`() throws {
        let folder = try TemporaryFolder()
        let set = try EmojiSetForge.set(seed: 9, count: 30)
        try folder.directory.put("set", Data(set.compiled()))
        let file = try EmojiFile(folder.directory.openFile("set").map(populating: false))
        #expect(EmojiSetDescription(file) == set)
    }

    @Test func `sections of a later revision are skipped, and a later version is refused`() throws {
        let set = try EmojiSetForge.set(seed: 2, count: 4)
        var bytes = try set.compiled()
        bytes[8] = 3
        EmojiFileSeal.seal(&bytes)
        let error = #expect(throws: StoreError.self) { try EmojiFile(bytes) }
        #expect(error?.message.contains("bytes 8 to 9: expected version 2, found 3") == true)
        bytes[8] = 2
        // The words become a section that this release does not know.
        bytes[40 + 11 * 32] = 60
        EmojiFileSeal.seal(&bytes)
        let file = try EmojiFile(bytes)
        #expect(file.count == 4 && file.search("smile", language: "en", limit: 10) == [])
        #expect(set.items.enumerated().allSatisfy { file.number(of: $0.element.sequence) == $0.offset })
    }
}
