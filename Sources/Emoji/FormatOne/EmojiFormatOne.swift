import StoreImages
import StoreModel

/// A namespace for the binary format 1 of emoji sets: what it can hold, and its writer.
public enum EmojiFormatOne {
    /// The order of the bytes of the numbers in a file.
    public enum ByteOrder: String, Sendable, Hashable, CaseIterable {
        case little, big
    }

    /// Returns why a file of format 1 can't hold an emoji; `nil` if it can.
    ///
    /// It holds one image of up to 65,535 bytes, and one or two code points.
    public static func obstacle(to item: EmojiSetDescription.Item) -> String? {
        let count = item.sequence.scalars.count
        if count > 2 { return "it has \(count) code points, and format 1 holds up to 2" }
        guard let image = item.images.first else { return "it has no image" }
        if image.bytes.count > Int(UInt16.max) {
            return "its image has \(image.bytes.count) bytes, and format 1 holds up to \(UInt16.max)"
        }
        return nil
    }

    /// Returns the file of format 1 of an emoji set, with the first image of each emoji.
    ///
    /// Names, keywords and subgroups are left out, and each category is its position among all.
    ///
    /// - Throws: `emoji.format-one` if the format can't hold an emoji, the number of categories, or the whole set.
    public static func write(_ set: EmojiSetDescription, byteOrder: ByteOrder = .little) throws -> [UInt8] {
        guard set.groups.count <= 256 else {
            throw unsuitable("the set", "it has \(set.groups.count) categories, and format 1 holds up to 256")
        }
        let items = set.groups.enumerated().flatMap { category, group in
            group.subgroups.flatMap(\.emoji).map { (category, $0) }
        }
        guard !items.isEmpty else { throw unsuitable("the set", "it has no emoji") }
        var numbers = Numbers(byteOrder: byteOrder)
        var images: [UInt8] = []
        let start = EmojiFormatOneLayout.headerSize + items.count * EmojiFormatOneLayout.emojiSize
        numbers.bytes.append(1)
        numbers.append(UInt32(items.count))
        for (category, item) in items {
            if let obstacle = obstacle(to: item) { throw unsuitable("emoji " + item.sequence.hexadecimal(), obstacle) }
            let (scalars, image) = (item.sequence.scalars, item.images[0].bytes)
            guard let offset = UInt32(exactly: start + images.count) else {
                throw unsuitable("the set", "its images have more than \(UInt32.max) bytes")
            }
            numbers.append(scalars[0].value)
            numbers.append(scalars.count > 1 ? scalars[1].value : 0)
            numbers.append(offset)
            numbers.bytes.append(UInt8(category))
            numbers.append(UInt16(image.count))
            images += image
        }
        let file = numbers.bytes + images
        // A reader detects the order by the count that fits the size, little-endian first.
        guard EmojiFormatOneLayout(head: file, size: file.count)?.byteOrder == byteOrder else {
            throw unsuitable("the set", "with \(items.count) emoji in \(file.count) bytes its byte order is ambiguous")
        }
        return file
    }

    private static func unsuitable(_ subject: String, _ reason: String) -> StoreError {
        StoreError(.emojiFormatOneUnsuitable, ["subject": subject, "reason": reason])
    }

    private struct Numbers {
        let byteOrder: ByteOrder
        var bytes: [UInt8] = []

        init(byteOrder: ByteOrder) { self.byteOrder = byteOrder }

        mutating func append(_ number: some FixedWidthInteger) {
            bytes.append(number: byteOrder == .little ? number : number.byteSwapped)
        }
    }
}

extension EmojiSetDescription {
    /// Reads a file of format 1; each category is named by its number, because the file has no names.
    ///
    /// - Throws: `content.emoji-damaged` with the place of the first mistake; `content.image-…`.
    init(formatOne bytes: [UInt8], limits: ImageLimits) throws {
        func damaged(_ place: String, _ expected: String, _ found: String) -> StoreError {
            StoreError(.emojiFileDamaged, ["place": place, "expected": expected, "found": found])
        }
        guard let layout = EmojiFormatOneLayout(head: bytes, size: bytes.count) else {
            throw damaged("bytes 0 to 4", "version 1 and a number of emoji that fits the file's size", "others")
        }
        self.init()
        var groups: [Int: [Item]] = [:]
        var total = 0
        for number in 0..<layout.count {
            let place = "emoji \(number + 1) (bytes \(layout.header(number)) to \(layout.header(number) + 14))"
            let points = layout.codePoints(number, in: bytes).compactMap { UInt32(exactly: $0) }
            guard let sequence = EmojiSequence(codePoints: points) else {
                throw damaged(place, "one or two code points", "\(points.map { String($0, radix: 16) })")
            }
            let range = layout.image(number, in: bytes)
            guard range.lowerBound >= layout.imagesStart, range.upperBound <= bytes.count else {
                throw damaged(
                    place, "an image between bytes \(layout.imagesStart) and \(bytes.count)",
                    "\(range.count) bytes at \(range.lowerBound)")
            }
            total += range.count
            // Each image is copied: overlapping ones could take many times the memory of the file.
            guard total <= bytes.count else { throw damaged(place, "an image of its own", "the bytes of other images") }
            do {
                let image = try EmojiImage(Array(bytes[range]), limits: limits)
                groups[layout.category(number, in: bytes), default: []].append(
                    Item(sequence: sequence, images: [image]))
            } catch let error as StoreError {
                throw StoreError(.imageInEmojiFile, ["number": number + 1, "path": "the file"], cause: error)
            }
        }
        // Positions are kept: a category without emoji is one, too.
        self.groups = (0...(groups.keys.max() ?? 0)).map {
            Group(name: "\($0)", subgroups: [Subgroup(emoji: groups[$0] ?? [])])
        }
    }
}
