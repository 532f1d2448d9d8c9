import StoreModel
import StoreSystem

/// A buffer that provides random access to the bytes of an image file.
///
/// Only the current window is in memory, and its size does not depend on what the image claims. Reading outside the
/// file throws `content.image-damaged`.
struct ImageBytes {
    /// The number of bytes of an image file that are read at once.
    static let piece = 64 << 10

    /// The size of the image file in bytes.
    let count: Int
    private let file: OpenFile?
    private var window: [UInt8]
    /// The offset in the image file of the first byte of ``window``.
    private var start: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        file = nil
        window = bytes
        start = 0
    }

    /// Creates access to the bytes of an image file.
    ///
    /// - Parameters:
    ///   - head: the first bytes, which were read already.
    ///   - count: the size of the file in bytes.
    init(_ file: OpenFile, head: [UInt8], count: Int) {
        self.count = count
        self.file = file
        window = head
        start = 0
    }

    /// Ensures that `length` bytes at an offset of the image file are in memory.
    ///
    /// - Throws: `content.image-damaged` if the image is shorter.
    private mutating func load(_ place: Int, _ length: Int) throws {
        guard place >= 0, length <= count, place <= count - length else {
            throw StoreError(.imageTruncated)
        }
        if place >= start, place + length <= start + window.count { return }
        guard let file else { throw StoreError(.imageTruncated) }
        window = try file.read(count: min(max(length, ImageBytes.piece), count - place), at: place)
        start = place
        // The file was truncated meanwhile.
        guard window.count >= length else { throw StoreError(.imageTruncated) }
    }

    /// Returns the byte at an offset of the image file.
    mutating func u8(at place: Int) throws -> Int {
        if place < start || place >= start + window.count { try load(place, 1) }
        return Int(window[place - start])
    }

    mutating func big16(at place: Int) throws -> Int { try u8(at: place) << 8 | u8(at: place + 1) }
    mutating func big32(at place: Int) throws -> Int { try big16(at: place) << 16 | big16(at: place + 2) }
    mutating func little16(at place: Int) throws -> Int { try u8(at: place) | u8(at: place + 1) << 8 }
    mutating func little24(at place: Int) throws -> Int { try little16(at: place) | u8(at: place + 2) << 16 }
    mutating func little32(at place: Int) throws -> Int { try little16(at: place) | little16(at: place + 2) << 16 }

    /// Returns `length` bytes at an offset of the image file; meant for a small number.
    mutating func bytes(at place: Int, _ length: Int) throws -> ArraySlice<UInt8> {
        try load(place, length)
        return window[(place - start)..<(place - start + length)]
    }

    /// Returns whether the bytes at an offset of the image file are those of a text.
    mutating func has(_ text: StaticString, at place: Int) throws -> Bool {
        try bytes(at: place, text.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the offset in the image file of the next occurrence of a byte, at or after `place`; `nil` if none.
    mutating func find(_ byte: UInt8, from place: Int) throws -> Int? {
        var place = place
        while place < count {
            try load(place, 1)
            if let found = window[(place - start)...].firstIndex(of: byte) { return found + start }
            place = start + window.count
        }
        return nil
    }

    /// Checks that only padding (zeros and white space) follows the end of the image in its file.
    ///
    /// - Throws: `content.image-trailing` if other data follows, which may be another file.
    mutating func requireEnd(at end: Int) throws {
        var place = end
        while place < count {
            try load(place, 1)
            let rest = window[(place - start)...]
            guard rest.allSatisfy(ImageBytes.isPadding) else {
                throw StoreError(.imageTrailingData, ["size": .bytes(count - end)])
            }
            place = start + window.count
        }
    }

    /// Returns whether a byte is zero or white space, which tools and editors append to files.
    private static func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) }
}
