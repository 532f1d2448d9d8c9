import StoreModel

/// Reads the header and the section table of files of format 2.
enum EmojiFileHeader {
    /// Returns the places of the sections by their numbers; those that the file lacks are empty.
    ///
    /// - Throws: `content.emoji-damaged`.
    static func read(_ bytes: UnsafeRawBufferPointer) throws -> [EmojiFileLayout.Place] {
        let size = bytes.count
        guard size >= EmojiFileLayout.headerSize else {
            throw damaged("the file", "at least \(EmojiFileLayout.headerSize) bytes", "\(size)")
        }
        guard bytes.starts(with: EmojiFileLayout.magic) else {
            throw damaged("bytes 0 to 7", "the signature of format 2", "other bytes")
        }
        let version: UInt16 = bytes.number(8)
        guard version == EmojiFileLayout.version else {
            throw damaged("bytes 8 to 9", "version \(EmojiFileLayout.version)", "\(version)")
        }
        let count = Int(bytes.number(12) as UInt32)
        guard (1...EmojiFileLayout.maximumSections).contains(count) else {
            throw damaged("bytes 12 to 15", "1 to \(EmojiFileLayout.maximumSections) sections", "\(count)")
        }
        let stated: UInt64 = bytes.number(16)
        guard stated == UInt64(size), size <= EmojiFileLayout.maximumSize else {
            throw damaged("bytes 16 to 23", "the file's size, \(size)", "\(stated)")
        }
        let end = EmojiFileLayout.headerSize + count * EmojiFileLayout.sectionSize
        guard end <= size else { throw damaged("the section table", "\(end) bytes", "\(size)") }
        let start = EmojiFileLayout.checksumOffset
        guard
            bytes.number(start) as UInt64 == EmojiChecksum.of(Array(bytes[..<start]) + Array(bytes[(start + 8)..<end]))
        else { throw damaged("bytes 24 to 31", "the checksum of header and section table", "another number") }
        return try sections(bytes, count, after: end)
    }

    private static func sections(
        _ bytes: UnsafeRawBufferPointer, _ count: Int, after end: Int
    ) throws -> [EmojiFileLayout.Place] {
        var places = [EmojiFileLayout.Place](
            repeating: EmojiFileLayout.Place(), count: EmojiFileLayout.Section.allCases.count + 1)
        var seen: Set<UInt32> = []
        for number in 0..<count {
            let start = EmojiFileLayout.headerSize + number * EmojiFileLayout.sectionSize
            let kind: UInt32 = bytes.number(start)
            guard seen.insert(kind).inserted else {
                throw damaged("entry \(number) of the section table", "a section not listed before", "section \(kind)")
            }
            // Sections of later revisions add to what the others say.
            guard let section = EmojiFileLayout.Section(rawValue: kind) else { continue }
            let recordSize = Int(bytes.number(start + 4) as UInt32)
            let (offset, length): (UInt64, UInt64) = (bytes.number(start + 8), bytes.number(start + 16))
            let total = UInt64(bytes.count)
            guard offset >= UInt64(end), offset <= total, length <= total - offset else {
                throw damaged(
                    "entry \(number) of the section table", "a section inside the file (bytes \(end) to \(total))",
                    "\(length) bytes at \(offset)")
            }
            guard recordSize >= section.recordSize, Int(length) % recordSize == 0 else {
                throw damaged(
                    "entry \(number) of the section table",
                    "whole records of at least \(section.recordSize) bytes in section '\(section.name)'",
                    "\(length) bytes in records of \(recordSize)")
            }
            if section == .data || section == .stringBytes, recordSize != 1 {
                throw damaged("entry \(number) of the section table", "records of 1 byte", "\(recordSize)")
            }
            places[Int(kind)] = EmojiFileLayout.Place(
                offset: Int(offset), recordSize: recordSize, count: Int(length) / recordSize,
                checksum: bytes.number(start + 24))
        }
        return places
    }

    private static func damaged(_ place: String, _ expected: String, _ found: String) -> StoreError {
        StoreError(.emojiFileDamaged, ["place": place, "expected": expected, "found": found])
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the little-endian number at an offset, which must be within the bytes.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        precondition(offset >= 0 && offset <= count - MemoryLayout<Number>.size)
        return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
