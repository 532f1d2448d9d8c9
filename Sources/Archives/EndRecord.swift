/// What the end of an archive says: where its central directory is.
///
/// Readers look for it in different ways (the last signature, the first one in the last 64 KiB, the one whose comment
/// reaches the end of the file, with or without the ZIP64 record), so it is taken only where all ways lead to one.
struct EndRecord {
    let entryCount: Int
    /// From the start of the file.
    let directoryOffset: Int
    /// In bytes.
    let directorySize: Int

    static let length = 22
    /// As many bytes of the file's end as can matter: comment, end record, ZIP64 locator and ZIP64 record.
    static let tailLength = 65_535 + length + Zip64EndRecord.locatorLength + Zip64EndRecord.length

    /// - Parameters:
    ///   - tail: the last ``tailLength`` bytes of the file, or the whole of a smaller one.
    ///   - fileSize: of the whole file.
    ///   - isDirectory: whether a directory's signature stands at this place of the file.
    init(tail: ArraySlice<UInt8>, fileSize: Int, isDirectory: (Int) throws -> Bool) throws {
        let places = EndRecord.places(in: tail)
        let exact = places.filter { $0 + EndRecord.length + tail.u16(at: $0 + 20) == tail.count }
        guard let place = exact.first else {
            if places.contains(where: { $0 + EndRecord.length + tail.u16(at: $0 + 20) < tail.count }) {
                throw Flaw(.dataAfter, "bytes come after its end record")
            }
            throw Flaw(.noEndRecord, "no end record ends it: it is no ZIP, or was cut short")
        }
        guard exact.count == 1 else { throw Flaw(.severalEndRecords, "it has more than one end record") }

        let record = tail.dropFirst(place)
        guard !record.dropFirst(EndRecord.length).holdsRecord else {
            throw Flaw(.hiddenRecord, "a record is hidden in its comment")
        }
        let tailOffset = fileSize - tail.count
        let plain = Plain(record)
        guard plain.disk == 0 || plain.disk == 0xffff, plain.directoryDisk == 0 || plain.directoryDisk == 0xffff else {
            throw Flaw(.severalDisks, "it is one of several parts")
        }
        var end = tailOffset + place
        if let zip64 = try Zip64EndRecord(tail: tail, endRecord: place, tailOffset: tailOffset) {
            try zip64.checkAgreement(with: plain)
            entryCount = zip64.entryCount
            directoryOffset = zip64.directoryOffset
            directorySize = zip64.directorySize
            end = zip64.offset
        } else {
            guard plain.disk == 0, plain.directoryDisk == 0, plain.entryCount != 0xffff,
                plain.directorySize != 0xffff_ffff, plain.directoryOffset != 0xffff_ffff
            else { throw Flaw(.zip64Mismatch, "its end record refers to a ZIP64 record that is not there") }
            guard plain.entryCount == plain.entryCountOfDisk else {
                throw Flaw(.severalDisks, "it is one of several parts")
            }
            entryCount = plain.entryCount
            directoryOffset = plain.directoryOffset
            directorySize = plain.directorySize
        }
        try checkPlace(end: end, isDirectory: isDirectory)
        try checkOthers(places.filter { $0 != place }, tail, tailOffset, isDirectory)
    }

    /// The directory must end where the end record begins.
    private func checkPlace(end: Int, isDirectory: (Int) throws -> Bool) throws {
        guard directorySize <= end, directoryOffset <= end, directoryOffset + directorySize <= end else {
            throw Flaw(.badDirectory, "its directory would end after its end record")
        }
        guard directoryOffset + directorySize < end else { return }
        // Offsets are counted from where the archive once began if something was put before it.
        if directorySize > 0, try isDirectory(end - directorySize) {
            throw Flaw(.dataBefore, "bytes come before its first entry")
        }
        throw Flaw(.dataBetween, "bytes between its directory and its end record belong to neither")
    }

    /// Signatures that are not the end record's may stand in the bytes of an entry (a ZIP within the ZIP), if they
    /// lead no reader to a directory.
    private func checkOthers(
        _ places: [Int], _ tail: ArraySlice<UInt8>, _ tailOffset: Int, _ isDirectory: (Int) throws -> Bool
    ) throws {
        for place in places {
            let plain = Plain(tail.dropFirst(place))
            let inEntries = tailOffset + place < directoryOffset
            let fits = plain.directoryOffset + plain.directorySize <= tailOffset + place
            let leads = fits ? try plain.entryCount == 0 || isDirectory(plain.directoryOffset) : false
            if !inEntries || leads {
                throw Flaw(.severalEndRecords, "it has more than one end record")
            }
        }
    }

    private static func places(in tail: ArraySlice<UInt8>) -> [Int] {
        guard tail.count >= length else { return [] }
        return tail.withUnsafeBytes { bytes in
            (0...(bytes.count - length)).filter { place in
                bytes[place] == 0x50 && bytes[place + 1] == 0x4b && bytes[place + 2] == 5 && bytes[place + 3] == 6
            }
        }
    }

    /// The fields of the record as they stand there.
    struct Plain {
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

/// The ZIP64 end record and its locator, which stand before the plain one where its fields are too small.
struct Zip64EndRecord {
    /// Of the record itself, from the start of the file.
    let offset: Int
    let entryCount: Int
    let directorySize: Int
    let directoryOffset: Int

    static let length = 56
    static let locatorLength = 20

    /// `nil` where there is no locator before the end record.
    init?(tail: ArraySlice<UInt8>, endRecord: Int, tailOffset: Int) throws {
        let place = endRecord - Zip64EndRecord.locatorLength
        guard let locator = tail.part(at: place, count: Zip64EndRecord.locatorLength),
            locator.u32(at: 0) == 0x0706_4b50
        else { return nil }
        // Only a record of the first version, with nothing after its fields, has a place that is sure.
        guard let record = tail.part(at: place - Zip64EndRecord.length, count: Zip64EndRecord.length),
            record.u32(at: 0) == 0x0606_4b50, record.u64(at: 4) == Zip64EndRecord.length - 12
        else { throw Flaw(.zip64Mismatch, "no ZIP64 end record stands before its locator") }
        offset = tailOffset + place - Zip64EndRecord.length
        guard locator.u64(at: 8) == offset else {
            throw Flaw(.zip64Mismatch, "its ZIP64 locator leads to another place than the record's")
        }
        guard locator.u32(at: 4) == 0, locator.u32(at: 16) <= 1, record.u32(at: 16) == 0, record.u32(at: 20) == 0,
            record.u64(at: 24) == record.u64(at: 32)
        else { throw Flaw(.severalDisks, "it is one of several parts") }
        entryCount = record.u64(at: 32)
        directorySize = record.u64(at: 40)
        directoryOffset = record.u64(at: 48)
    }

    /// A field of the plain record must be all ones, which refers here, or the same as here: some readers look here
    /// only when they are referred.
    func checkAgreement(with plain: EndRecord.Plain) throws {
        let agree =
            (plain.disk == 0 || plain.disk == 0xffff)
            && (plain.directoryDisk == 0 || plain.directoryDisk == 0xffff)
            && (plain.entryCountOfDisk == entryCount || plain.entryCountOfDisk == 0xffff)
            && (plain.entryCount == entryCount || plain.entryCount == 0xffff)
            && (plain.directorySize == directorySize || plain.directorySize == 0xffff_ffff)
            && (plain.directoryOffset == directoryOffset || plain.directoryOffset == 0xffff_ffff)
        guard agree else { throw Flaw(.zip64Mismatch, "its two end records say different things") }
    }
}
