import StoreModel

/// The end record of a ZIP archive, which contains the position of the central directory.
///
/// Readers search for it in different ways (the last signature, the first one in the last 64 KiB, the one whose comment
/// reaches the end of the file, with or without the ZIP64 record). It is accepted only if all ways find the same
/// record.
struct EndRecord {
    let entryCount: Int
    /// The offset of the ZIP file's central directory from the start of the file, in bytes.
    let directoryOffset: Int
    /// The size of the ZIP file's central directory in bytes.
    let directorySize: Int

    static let length = 22
    /// The maximum total length of a ZIP file's comment, end record, ZIP64 locator and ZIP64 record in bytes.
    static let tailLength = 65_535 + length + Zip64EndRecord.locatorLength + Zip64EndRecord.length

    /// Finds and validates the end record of a ZIP file.
    ///
    /// - Parameters:
    ///   - tail: the last ``tailLength`` bytes of the file, or the whole of a smaller one.
    ///   - fileSize: the size of the whole file.
    ///   - isDirectory: whether the signature of a central directory is at an offset of the file.
    init(tail: ArraySlice<UInt8>, fileSize: Int, isDirectory: (Int) throws -> Bool) throws {
        let candidates = EndRecord.signatureOffsets(in: tail)
        let exact = candidates.filter { $0 + EndRecord.length + tail.u16(at: $0 + 20) == tail.count }
        guard let position = exact.first else {
            if candidates.contains(where: { $0 + EndRecord.length + tail.u16(at: $0 + 20) < tail.count }) {
                throw StoreError(.archiveDataAfterEnd)
            }
            throw StoreError(.archiveNotZIP)
        }
        guard exact.count == 1 else { throw StoreError(.archiveSeveralEndRecords) }

        let record = tail.dropFirst(position)
        guard !record.dropFirst(EndRecord.length).containsRecordSignature else {
            throw StoreError(.archiveRecordInComment)
        }
        let tailOffset = fileSize - tail.count
        let plain = Fields(record)
        guard plain.disk == 0 || plain.disk == 0xffff, plain.directoryDisk == 0 || plain.directoryDisk == 0xffff else {
            throw StoreError(.archiveSeveralDisks)
        }
        var end = tailOffset + position
        if let zip64 = try Zip64EndRecord(tail: tail, endRecord: position, tailOffset: tailOffset) {
            try zip64.checkAgreement(with: plain)
            entryCount = zip64.entryCount
            directoryOffset = zip64.directoryOffset
            directorySize = zip64.directorySize
            end = zip64.offset
        } else {
            guard plain.disk == 0, plain.directoryDisk == 0, plain.entryCount != 0xffff,
                plain.directorySize != 0xffff_ffff, plain.directoryOffset != 0xffff_ffff
            else { throw StoreError(.archiveZIP64RecordMissing) }
            guard plain.entryCount == plain.entryCountOfDisk else {
                throw StoreError(.archiveSeveralDisks)
            }
            entryCount = plain.entryCount
            directoryOffset = plain.directoryOffset
            directorySize = plain.directorySize
        }
        try checkPosition(end: end, isDirectory: isDirectory)
        try checkOthers(candidates.filter { $0 != position }, tail, tailOffset, isDirectory)
    }

    /// Checks that the ZIP file's central directory ends where the end record begins.
    private func checkPosition(end: Int, isDirectory: (Int) throws -> Bool) throws {
        guard directorySize <= end, directoryOffset <= end, directoryOffset + directorySize <= end else {
            throw StoreError(.archiveDirectoryMisplaced)
        }
        guard directoryOffset + directorySize < end else { return }
        // If data was prepended to the archive, its offsets still count from the former start of the file.
        if directorySize > 0, try isDirectory(end - directorySize) {
            throw StoreError(.archiveDataBeforeEntries)
        }
        throw StoreError(.archiveDataAfterDirectory)
    }

    /// Checks that other occurrences of the ZIP end record's signature lead no reader to a central directory.
    ///
    /// They are permitted in the contents of an entry, such as a ZIP file that is stored in the archive.
    private func checkOthers(
        _ candidates: [Int], _ tail: ArraySlice<UInt8>, _ tailOffset: Int, _ isDirectory: (Int) throws -> Bool
    ) throws {
        for position in candidates {
            let plain = Fields(tail.dropFirst(position))
            let inEntries = tailOffset + position < directoryOffset
            let fits = plain.directoryOffset + plain.directorySize <= tailOffset + position
            let isUsable = fits ? try plain.entryCount == 0 || isDirectory(plain.directoryOffset) : false
            if !inEntries || isUsable {
                throw StoreError(.archiveSeveralEndRecords)
            }
        }
    }

    /// Returns the offsets in `tail` of all signatures of a ZIP end record.
    private static func signatureOffsets(in tail: ArraySlice<UInt8>) -> [Int] {
        tail.withUnsafeBytes { bytes in
            var (offsets, position) = ([Int](), 0)
            while let offset = bytes.recordOffset(from: position), offset <= bytes.count - length {
                if bytes[offset + 2] == 5, bytes[offset + 3] == 6 { offsets.append(offset) }
                position = offset + 1
            }
            return offsets
        }
    }

    /// The fields of a ZIP end record as they are in the file, before validation.
    struct Fields {
        let disk, directoryDisk, entryCountOfDisk, entryCount, directorySize, directoryOffset: Int

        init(_ bytes: ArraySlice<UInt8>) {
            disk = bytes.u16(at: 4)
            directoryDisk = bytes.u16(at: 6)
            entryCountOfDisk = bytes.u16(at: 8)
            entryCount = bytes.u16(at: 10)
            directorySize = bytes.u32(at: 12)
            directoryOffset = bytes.u32(at: 16)
        }
    }
}

/// The ZIP64 end record and its locator, which precede the ZIP end record if its fields are too small.
struct Zip64EndRecord {
    /// The offset of the ZIP64 end record from the start of the file, in bytes.
    let offset: Int
    let entryCount: Int
    let directorySize: Int
    let directoryOffset: Int

    static let length = 56
    static let locatorLength = 20

    /// Parses the ZIP64 end record of a ZIP file; `nil` if no locator precedes the end record.
    init?(tail: ArraySlice<UInt8>, endRecord: Int, tailOffset: Int) throws {
        let position = endRecord - Zip64EndRecord.locatorLength
        guard let locator = tail.slice(at: position, count: Zip64EndRecord.locatorLength),
            locator.u32(at: 0) == 0x0706_4b50
        else { return nil }
        // Only a record of version 1, which has no data after its fields, has a known position.
        guard let record = tail.slice(at: position - Zip64EndRecord.length, count: Zip64EndRecord.length),
            record.u32(at: 0) == 0x0606_4b50, record.u64(at: 4) == Zip64EndRecord.length - 12
        else { throw StoreError(.archiveZIP64RecordMisplaced) }
        offset = tailOffset + position - Zip64EndRecord.length
        guard locator.u64(at: 8) == offset else {
            throw StoreError(.archiveZIP64LocatorMismatch)
        }
        guard locator.u32(at: 4) == 0, locator.u32(at: 16) <= 1, record.u32(at: 16) == 0, record.u32(at: 20) == 0,
            record.u64(at: 24) == record.u64(at: 32)
        else { throw StoreError(.archiveSeveralDisks) }
        entryCount = record.u64(at: 32)
        directorySize = record.u64(at: 40)
        directoryOffset = record.u64(at: 48)
    }

    /// Checks that each field of the ZIP end record is all ones (it refers to the ZIP64 record), or has the same value.
    ///
    /// Some readers use the ZIP64 record only if a field refers to it.
    func checkAgreement(with plain: EndRecord.Fields) throws {
        let agree =
            (plain.disk == 0 || plain.disk == 0xffff)
            && (plain.directoryDisk == 0 || plain.directoryDisk == 0xffff)
            && (plain.entryCountOfDisk == entryCount || plain.entryCountOfDisk == 0xffff)
            && (plain.entryCount == entryCount || plain.entryCount == 0xffff)
            && (plain.directorySize == directorySize || plain.directorySize == 0xffff_ffff)
            && (plain.directoryOffset == directoryOffset || plain.directoryOffset == 0xffff_ffff)
        guard agree else { throw StoreError(.archiveEndRecordsDiffer) }
    }
}
