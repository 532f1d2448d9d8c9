import StoreModel
import StoreSystem

/// A reader that validates the structure of a ZIP archive: end record, central directory, local headers.
///
/// The cheapest checks come first, so that a decompression bomb is rejected before much is read or allocated.
struct ArchiveReader {
    private let file: ArchiveBytes
    private let limits: ArchiveLimits
    private let cancellation: CancellationFlag
    private var fileSize: Int { file.size }

    init(file: OpenFile, limits: ArchiveLimits, cancellation: CancellationFlag) throws {
        self.file = try ArchiveBytes(file)
        self.limits = limits
        self.cancellation = cancellation
    }

    func read() throws -> Archive {
        let tailLength = min(fileSize, EndRecord.tailLength)
        let tail = try file.read(count: tailLength, at: fileSize - tailLength)[...]
        guard tail.count == tailLength else { throw StoreError(.archiveShrank) }
        let end = try EndRecord(tail: tail, fileSize: fileSize) { offset in
            try file.read(count: 4, at: offset)[...].elementsEqual([0x50, 0x4b, 1, 2])
        }
        guard end.entryCount <= limits.entries else {
            throw StoreError(.archiveTooManyEntries, ["count": end.entryCount, "limit": limits.entries])
        }
        guard end.directorySize <= limits.directorySize else {
            throw StoreError(
                .archiveDirectoryTooLarge, ["size": .bytes(end.directorySize), "limit": .bytes(limits.directorySize)])
        }
        guard end.entryCount <= end.directorySize / EntryHeader.centralLength else {
            throw StoreError(.archiveEntriesMissing)
        }
        let headers = try readDirectory(end)
        let offsets = try checkLayout(headers.map(\.header), directoryOffset: end.directoryOffset)
        return try Archive(
            bytes: file,
            headers: zip(headers, offsets).map { (header: $0.header, name: $0.name, offset: $1) },
            hiddenEntries: limits.hiddenEntries)
    }

    // MARK: Central directory

    private func readDirectory(_ end: EndRecord) throws -> [(header: EntryHeader, name: EntryName)] {
        var rest = try file.read(count: end.directorySize, at: end.directoryOffset)[...]
        var headers: [(header: EntryHeader, name: EntryName)] = []
        headers.reserveCapacity(end.entryCount)
        var tree = NameTree()
        var total = 0
        for _ in 0..<end.entryCount {
            try cancellation.check()
            let header = try EntryHeader(central: rest)
            rest = rest.dropFirst(header.length)
            let name = try check(header)
            try tree.insert(name)
            guard header.size <= limits.unpackedSize - total else {
                throw StoreError(.archiveTooLarge, ["limit": .bytes(limits.unpackedSize)])
            }
            total += header.size
            headers.append((header, name))
        }
        guard rest.isEmpty else {
            throw StoreError(.archiveEntriesUnexpected)
        }
        guard total <= limits.ratioFloor || total / limits.ratio <= fileSize else {
            throw StoreError(.archiveTooDense, ["limit": limits.ratio])
        }
        return headers
    }

    /// Validates one header of a ZIP file's central directory on its own, and returns the entry's name.
    private func check(_ header: EntryHeader) throws(StoreError) -> EntryName {
        let name = try EntryName(header.name, limits: limits)
        try header.checkUnicodeName()
        try header.checkType(isDirectory: name.isDirectory)
        if header.isEncrypted { throw StoreError(.archiveEntryEncrypted, ["entry": .untrusted(header.name)]) }
        // Bit 5 marks the contents as a patch for another file (APPNOTE 4.4.4).
        guard header.method == 0 || header.method == 8, header.flags & (1 << 5) == 0 else {
            throw StoreError(.archiveMethodUnsupported, ["entry": .untrusted(header.name)])
        }
        try header.checkVersion()
        if name.isDirectory, header.size != 0 || header.crc32 != 0 {
            throw StoreError(.archiveDirectoryWithContents, ["entry": .untrusted(header.name)])
        }
        guard header.method == 8 || header.compressedSize == header.size else {
            throw StoreError(.archiveStoredSizesDiffer, ["entry": .untrusted(header.name)])
        }
        // The deflate stream of an empty file takes two bytes.
        if header.method == 8, header.size == 0, header.compressedSize > 2 {
            throw StoreError(.archiveEmptyEntryWithData, ["entry": .untrusted(header.name)])
        }
        return name
    }

    // MARK: Local headers

    /// Checks that the ZIP entries fill the file from its start to the central directory, in any order.
    ///
    /// - Returns: the offset of each entry's contents, in the order of `headers`.
    private func checkLayout(_ headers: [EntryHeader], directoryOffset: Int) throws -> [Int] {
        var offsets = [Int](repeating: 0, count: headers.count)
        var buffer = ReadBuffer(file: file, end: directoryOffset)
        let order = headers.indices.sorted { headers[$0].localOffset < headers[$1].localOffset }
        var end = 0
        for (position, index) in order.enumerated() {
            try cancellation.check()
            let header = headers[index]
            if header.localOffset != end { throw gap(from: end, to: header.localOffset, before: header) }
            let local = try EntryHeader(local: buffer.localHeader(at: end))
            try header.checkAgreement(withLocal: local)
            offsets[index] = end + local.length
            guard header.compressedSize <= directoryOffset - offsets[index] else {
                throw StoreError(.archiveEntryOverlapsDirectory, ["entry": .untrusted(header.name)])
            }
            end = offsets[index] + header.compressedSize
            if header.hasDescriptor {
                let next = position + 1 < order.count ? headers[order[position + 1]].localOffset : directoryOffset
                end = try checkDescriptor(of: header, local: local, from: end, to: next, &buffer)
                if header.method == 0 { try checkStreamed(header, from: offsets[index]) }
            }
        }
        guard end == directoryOffset else {
            if headers.isEmpty { throw StoreError(.archiveDataBeforeEmptyDirectory) }
            throw StoreError(.archiveDataAfterEntries)
        }
        return offsets
    }

    private func gap(from end: Int, to start: Int, before header: EntryHeader) -> StoreError {
        if start < end { return StoreError(.archiveEntriesOverlap, ["entry": .untrusted(header.name)]) }
        if end == 0 { return StoreError(.archiveDataBeforeEntries) }
        return StoreError(.archiveDataBeforeEntry, ["entry": .untrusted(header.name)])
    }

    /// Checks a ZIP entry's data descriptor, which repeats checksum and sizes after the contents of the entry.
    ///
    /// It may have a signature; its sizes have eight bytes if the header has a ZIP64 field, else four. It must fill the
    /// space up to the next entry.
    ///
    /// - Returns: the offset of the descriptor's end.
    private func checkDescriptor(
        of header: EntryHeader, local: EntryHeader, from start: Int, to end: Int, _ buffer: inout ReadBuffer
    ) throws -> Int {
        let isWide = local.extra.zip64 != nil
        let plainLength = isWide ? 20 : 12
        let length = end - start
        guard length == plainLength || length == plainLength + 4 else {
            if length < 0 { throw StoreError(.archiveEntriesOverlap, ["entry": .untrusted(header.name)]) }
            throw StoreError(.archiveDescriptorMissing, ["entry": .untrusted(header.name)])
        }
        var bytes = try buffer.bytes(at: start, count: length)
        guard bytes.count == length else { throw StoreError(.archiveDescriptorTruncated) }
        let hasSignature = length == plainLength + 4
        if hasSignature {
            guard bytes.u32(at: 0) == 0x0807_4b50 else {
                throw StoreError(.archiveDescriptorWithoutSignature, ["entry": .untrusted(header.name)])
            }
            bytes = bytes.dropFirst(4)
        } else if header.method == 0 || header.crc32 == 0x0807_4b50 {
            // A streaming reader finds the end of stored data by the signature alone, and mistakes a checksum of the
            // same value for one.
            throw StoreError(.archiveDescriptorWithoutSignature, ["entry": .untrusted(header.name)])
        }
        let sizes = isWide ? (bytes.u64(at: 4), bytes.u64(at: 12)) : (bytes.u32(at: 4), bytes.u32(at: 8))
        guard bytes.u32(at: 0) == Int(header.crc32), sizes == (header.compressedSize, header.size) else {
            throw StoreError(.archiveDescriptorDiffers, ["entry": .untrusted(header.name)])
        }
        return end
    }
}

extension ArchiveReader {
    /// Checks that the uncompressed contents of a ZIP entry contain no signature of a ZIP record.
    ///
    /// It is called for an entry that a data descriptor follows. Stored (uncompressed) data has no end marker of its
    /// own: a streaming reader searches for the descriptor's signature.
    private func checkStreamed(_ header: EntryHeader, from start: Int) throws {
        let end = start + header.compressedSize
        var offset = start
        while offset < end {
            try cancellation.check()
            // The chunks overlap by three bytes, so that a signature across their border is found.
            let chunk = try file.read(count: min(256 << 10, end - offset), at: offset)
            guard !chunk[...].containsRecordSignature else {
                throw StoreError(.archiveRecordInStoredEntry, ["entry": .untrusted(header.name)])
            }
            guard chunk.count > 3 else { return }
            offset += offset + chunk.count < end ? chunk.count - 3 : chunk.count
        }
    }
}

/// A buffer for a section of a ZIP file, so that reading many small headers does not take a system call each.
struct ReadBuffer {
    private let file: ArchiveBytes
    /// The offset in the ZIP file at which reading stops.
    private let end: Int
    private var start = 0
    private var bytes: [UInt8] = []
    private static let length = 8 << 10

    init(file: ArchiveBytes, end: Int) {
        self.file = file
        self.end = end
    }

    /// Returns `count` bytes at an offset of the ZIP file, or fewer if the readable section ends before.
    mutating func bytes(at offset: Int, count: Int) throws -> ArraySlice<UInt8> {
        let count = max(0, min(count, end - offset))
        if offset < start || offset + count > start + bytes.count {
            bytes = try file.read(count: min(max(count, ReadBuffer.length), max(0, end - offset)), at: offset)
            start = offset
        }
        return bytes[(offset - start)..<min(offset - start + count, bytes.count)]
    }

    /// Returns the bytes of the local header of a ZIP entry at an offset, fewer at the end of the file.
    mutating func localHeader(at offset: Int) throws -> ArraySlice<UInt8> {
        let fixed = try bytes(at: offset, count: EntryHeader.localLength)
        guard let length = EntryHeader.length(ofLocal: fixed) else { return fixed }
        return try bytes(at: offset, count: length)
    }
}
