import StoreModel
import StoreSystem

/// The bytes of an image, of which only those are in memory that are being looked at. Reading outside them is an error of
/// the image, never of the program; nothing is allocated by what the image claims.
struct ImageBytes {
    /// Read at once.
    static let piece = 64 << 10

    /// Of all, in bytes.
    let count: Int
    private let file: OpenFile?
    private var window: [UInt8]
    /// Where the window begins.
    private var start: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        file = nil
        window = bytes
        start = 0
    }

    /// - Parameters:
    ///   - head: what has been read of its start.
    ///   - count: its size, as the system tells.
    init(_ file: OpenFile, head: [UInt8], count: Int) {
        self.count = count
        self.file = file
        window = head
        start = 0
    }

    /// Makes the window hold some bytes.
    ///
    /// - Throws: `content.image-damaged` where the image is shorter.
    private mutating func load(_ place: Int, _ length: Int) throws {
        guard place >= 0, length <= count, place <= count - length else {
            throw StoreError(.imageTruncated)
        }
        if place >= start, place + length <= start + window.count { return }
        guard let file else { throw StoreError(.imageTruncated) }
        window = try file.read(count: min(max(length, ImageBytes.piece), count - place), at: place)
        start = place
        // It became shorter while it was read.
        guard window.count >= length else { throw StoreError(.imageTruncated) }
    }

    mutating func u8(at place: Int) throws -> Int {
        if place < start || place >= start + window.count { try load(place, 1) }
        return Int(window[place - start])
    }

    mutating func big16(at place: Int) throws -> Int { try u8(at: place) << 8 | u8(at: place + 1) }
    mutating func big32(at place: Int) throws -> Int { try big16(at: place) << 16 | big16(at: place + 2) }
    mutating func little16(at place: Int) throws -> Int { try u8(at: place) | u8(at: place + 1) << 8 }
    mutating func little24(at place: Int) throws -> Int { try little16(at: place) | u8(at: place + 2) << 16 }
    mutating func little32(at place: Int) throws -> Int { try little16(at: place) | little16(at: place + 2) << 16 }

    /// Some bytes, as many as the caller knows to be few.
    mutating func bytes(at place: Int, _ length: Int) throws -> ArraySlice<UInt8> {
        try load(place, length)
        return window[(place - start)..<(place - start + length)]
    }

    mutating func has(_ text: StaticString, at place: Int) throws -> Bool {
        try bytes(at: place, text.utf8CodeUnitCount)
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The first place of a byte from `place` on, `nil` where there is none.
    mutating func find(_ byte: UInt8, from place: Int) throws -> Int? {
        var place = place
        while place < count {
            try load(place, 1)
            if let found = window[(place - start)...].firstIndex(of: byte) { return found + start }
            place = start + window.count
        }
        return nil
    }

    /// Holds what follows after an image's end to the rule: only padding, which no other program takes for a file.
    ///
    /// - Throws: `content.image-trailing`.
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

    /// Zeros and white space: what tools that round sizes up or edit by hand leave behind.
    private static func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) }
}
