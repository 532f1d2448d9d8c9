/// Writes ZIP archives for tests, valid and invalid ones: every field of every record can be changed.
///
/// ```swift
/// ZipForge().file("a.png", bytes).symlink("x", to: "/etc/passwd").build()
/// ZipForge().file("a", bytes) { $0.central.size = 5 }.build()
/// ```
public struct ZipForge: Sendable {
    /// The entries, in the order of the archive and of its central directory.
    public var entries: [Entry] = []
    /// Bytes before the first entry.
    ///
    /// Offsets count from the start of the file, unless ``shifted``.
    public var prefix: [UInt8] = []
    /// Whether offsets count from the end of the prefix, as in an archive that data was prepended to.
    public var shifted = false
    public var beforeDirectory: [UInt8] = []
    /// Bytes between the central directory and the (ZIP64) end record.
    public var beforeEnd: [UInt8] = []
    public var comment: [UInt8] = []
    public var suffix: [UInt8] = []
    /// Changes the correct fields of the end record.
    public var changeEnd: @Sendable (inout End) -> Void = { _ in }
    /// Changes the fields of ZIP64's end record and locator, which are written only if this is set.
    public var zip64: (@Sendable (inout Zip64) -> Void)?

    public init() {}

    /// The fields that an entry has both in its local header and in the central directory.
    public struct Header: Sendable {
        public var version: UInt16 = 20
        public var flags: UInt16 = 0
        public var method: UInt16 = 0
        public var time: UInt16 = 12 << 11
        public var date: UInt16 = 45 << 9 | 1 << 5 | 1
        public var crc32: UInt32 = 0
        public var compressedSize: UInt32 = 0
        public var size: UInt32 = 0
        public var name: [UInt8] = []
        public var extra: [UInt8] = []

        fileprivate var fields: [UInt8] {
            bytes(version) + bytes(flags) + bytes(method) + bytes(time) + bytes(date) + bytes(crc32)
                + bytes(compressedSize) + bytes(size) + bytes(UInt16(name.count)) + bytes(UInt16(extra.count))
        }
    }

    public struct Entry: Sendable {
        public var local: Header
        public var central: Header
        /// The compressed data.
        public var data: [UInt8]
        /// The data descriptor after the data.
        public var descriptor: [UInt8] = []
        /// Bytes before the local header.
        public var before: [UInt8] = []
        public var madeBy: UInt16 = 3 << 8 | 20
        public var attributes: UInt32
        public var disk: UInt16 = 0
        public var comment: [UInt8] = []
        /// The offset in the central directory, if it differs from the true one.
        public var offset: UInt32?
        public var isLocal = true
        public var isInDirectory = true

        /// Changes both headers.
        public mutating func both(_ change: (inout Header) -> Void) {
            change(&local)
            change(&central)
        }

        /// Moves checksum and sizes to a data descriptor after the data, as streaming writers do.
        public mutating func stream(signature: Bool = true, wide: Bool = false) {
            both { $0.flags |= 1 << 3 }
            let (compressed, plain) = (central.compressedSize, central.size)
            descriptor = (signature ? bytes(UInt32(0x0807_4b50)) : []) + bytes(central.crc32)
            descriptor += wide ? bytes(UInt64(compressed)) + bytes(UInt64(plain)) : bytes(compressed) + bytes(plain)
            (local.crc32, local.compressedSize, local.size) = (0, 0, 0)
            if wide {
                (local.compressedSize, local.size) = (.max, .max)
                local.extra += ZipForge.extra(0x0001, [UInt8](repeating: 0, count: 16))
            }
        }

        fileprivate var localBytes: [UInt8] {
            bytes(UInt32(0x0403_4b50)) + local.fields + local.name + local.extra + data + descriptor
        }

        fileprivate func directoryBytes(at place: UInt32) -> [UInt8] {
            bytes(UInt32(0x0201_4b50)) + bytes(madeBy) + central.fields + bytes(UInt16(comment.count)) + bytes(disk)
                + bytes(UInt16(0)) + bytes(attributes) + bytes(offset ?? place) + central.name + central.extra + comment
        }
    }

    /// The fields of the end record.
    public struct End: Sendable {
        public var disk: UInt16 = 0
        public var directoryDisk: UInt16 = 0
        public var countOfDisk: UInt16
        public var count: UInt16
        public var size: UInt32
        public var offset: UInt32
        public var commentLength: UInt16

        /// Sets all fields that ZIP64 can replace to their maximum, which refers to the ZIP64 record.
        public mutating func refer() {
            (countOfDisk, count, size, offset) = (.max, .max, .max, .max)
        }

        public func encoded() -> [UInt8] {
            bytes(UInt32(0x0605_4b50)) + bytes(disk) + bytes(directoryDisk) + bytes(countOfDisk) + bytes(count)
                + bytes(size) + bytes(offset) + bytes(commentLength)
        }
    }

    /// The fields of ZIP64's end record and locator.
    public struct Zip64: Sendable {
        public var recordSize: UInt64 = 44
        public var countOfDisk: UInt64
        public var count: UInt64
        public var size: UInt64
        public var offset: UInt64
        /// Bytes after the fields of the record.
        public var rest: [UInt8] = []
        /// The offset of the record that the locator states.
        public var recordOffset: UInt64
        public var disks: UInt32 = 1
        /// Bytes between the locator and the end record.
        public var after: [UInt8] = []

        fileprivate func encoded() -> [UInt8] {
            let record =
                bytes(UInt32(0x0606_4b50)) + bytes(recordSize) + bytes(UInt16(45)) + bytes(UInt16(45))
                + bytes(UInt64(0))
                + bytes(countOfDisk) + bytes(count) + bytes(size) + bytes(offset) + rest
            return record + bytes(UInt32(0x0706_4b50)) + bytes(UInt32(0)) + bytes(recordOffset) + bytes(disks) + after
        }
    }
}

extension ZipForge {
    public func file(
        _ name: String, _ content: [UInt8] = Array("content".utf8), deflated: Bool = false,
        _ change: (inout Entry) -> Void = { _ in }
    ) -> ZipForge {
        adding(Array(name.utf8), content, deflated, attributes: 0o100644 << 16, change)
    }

    public func file(rawName: [UInt8], _ change: (inout Entry) -> Void = { _ in }) -> ZipForge {
        adding(rawName, Array("content".utf8), false, attributes: 0o100644 << 16, change)
    }

    /// Adds a directory.
    ///
    /// - Parameter name: the name without its trailing slash.
    public func folder(_ name: String, _ change: (inout Entry) -> Void = { _ in }) -> ZipForge {
        adding(Array((name + "/").utf8), [], false, attributes: 0o040755 << 16 | 0x10, change)
    }

    public func symlink(_ name: String, to target: String) -> ZipForge {
        adding(Array(name.utf8), Array(target.utf8), false, attributes: 0o120777 << 16) { _ in }
    }

    /// Returns the archive with a change to any of its parts.
    public func with(_ change: (inout ZipForge) -> Void) -> ZipForge {
        var forge = self
        change(&forge)
        return forge
    }

    private func adding(
        _ name: [UInt8], _ content: [UInt8], _ deflated: Bool, attributes: UInt32, _ change: (inout Entry) -> Void
    ) -> ZipForge {
        let data = deflated ? ZipForge.deflated(content) : content
        var header = Header()
        header.method = deflated ? 8 : 0
        header.flags = name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11
        header.crc32 = ZipForge.crc32(content)
        header.compressedSize = UInt32(data.count)
        header.size = UInt32(content.count)
        header.name = name
        var entry = Entry(local: header, central: header, data: data, attributes: attributes)
        change(&entry)
        return with { $0.entries.append(entry) }
    }

    public func build() -> [UInt8] {
        var archive = prefix
        let base = shifted ? prefix.count : 0
        var directory: [UInt8] = []
        for entry in entries {
            archive += entry.before
            let place = UInt32(archive.count - base)
            if entry.isLocal { archive += entry.localBytes }
            if entry.isInDirectory { directory += entry.directoryBytes(at: place) }
        }
        archive += beforeDirectory
        let count = entries.count { $0.isInDirectory }
        var end = End(
            countOfDisk: UInt16(truncatingIfNeeded: count), count: UInt16(truncatingIfNeeded: count),
            size: UInt32(directory.count), offset: UInt32(archive.count - base), commentLength: UInt16(comment.count))
        let offset = end.offset
        changeEnd(&end)
        archive += directory + beforeEnd
        if let zip64 {
            var wide = Zip64(
                countOfDisk: UInt64(count), count: UInt64(count), size: UInt64(directory.count),
                offset: UInt64(offset), recordOffset: UInt64(archive.count - base))
            zip64(&wide)
            archive += wide.encoded()
        }
        return archive + end.encoded() + comment + suffix
    }

    // MARK: Parts

    /// Returns an extra field.
    public static func extra(_ kind: UInt16, _ content: [UInt8]) -> [UInt8] {
        bytes(kind) + bytes(UInt16(content.count)) + content
    }

    /// Returns ZIP64's extra field with these numbers.
    public static func zip64Extra(_ numbers: UInt64...) -> [UInt8] { extra(0x0001, numbers.flatMap(bytes)) }

    /// Returns Info-ZIP's extra field with a second name.
    public static func unicodeName(_ second: String, of first: String, version: UInt8 = 1) -> [UInt8] {
        extra(0x7075, [version] + bytes(crc32(Array(first.utf8))) + Array(second.utf8))
    }

    /// Returns a deflate stream (RFC 1951) of stored blocks of up to 65,535 bytes.
    public static func deflated(_ content: [UInt8]) -> [UInt8] {
        // An empty block with fixed Huffman codes.
        if content.isEmpty { return [3, 0] }
        var stream: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            stream += [rest.isEmpty ? 1 : 0] + bytes(UInt16(block.count)) + bytes(~UInt16(block.count)) + block
        }
        return stream
    }

    /// Returns the CRC-32 of ZIP, gzip and Ethernet (polynomial 0xEDB88320, reflected).
    public static func crc32(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
    }
}

private func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
