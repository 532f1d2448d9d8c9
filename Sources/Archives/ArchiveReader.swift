import StoreModel
import StoreSystem

/// Reads what an archive says of itself, cheapest first, so that a bomb is refused before much is read or kept.
struct ArchiveReader {
    private let file: OpenFile
    private let limits: ArchiveLimits
    private let cancellation: CancellationFlag
    private let fileSize: Int

    init(file: OpenFile, limits: ArchiveLimits, cancellation: CancellationFlag) throws {
        self.file = file
        self.limits = limits
        self.cancellation = cancellation
        fileSize = try file.status().size
    }

    func read() throws -> Archive {
        let tailLength = min(fileSize, EndRecord.tailLength)
        let tail = try file.read(count: tailLength, at: fileSize - tailLength)[...]
        guard tail.count == tailLength else { throw Flaw(.noEndRecord, "it shrank while it was read") }
        let end = try EndRecord(tail: tail, fileSize: fileSize) { place in
            try file.read(count: 4, at: place)[...].elementsEqual([0x50, 0x4b, 1, 2])
        }
        guard end.entryCount <= limits.entries else {
            throw Flaw(.tooManyEntries, "it holds \(end.entryCount) entries, more than the \(limits.entries) allowed")
        }
        guard end.directorySize <= limits.directorySize else {
            throw Flaw(
                .tooManyEntries,
                "its directory has \(end.directorySize) bytes, more than the \(limits.directorySize) allowed")
        }
        guard end.entryCount <= end.directorySize / EntryHeader.centralLength else {
            throw Flaw(.badDirectory, "its directory holds fewer entries than the end record says")
        }
        let headers = try readDirectory(end)
        let offsets = try checkLayout(headers.map(\.header), directoryOffset: end.directoryOffset)
        return try Archive(
            file: file,
            headers: zip(headers, offsets).map { (header: $0.header, name: $0.name, offset: $1) })
    }

    // MARK: The directory

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
                throw Flaw(.tooLarge, "it would unpack to more than the \(limits.unpackedSize) bytes allowed")
            }
            total += header.size
            headers.append((header, name))
        }
        guard rest.isEmpty else {
            throw Flaw(.badDirectory, "its directory holds more than the entries that the end record says")
        }
        guard total <= limits.ratioFloor || total / limits.ratio <= fileSize else {
            throw Flaw(.tooDense, "it would unpack to more than \(limits.ratio) times its size")
        }
        return headers
    }

    /// The rules that one entry of the directory can be held to by itself.
    private func check(_ header: EntryHeader) throws(Flaw) -> EntryName {
        let name = try EntryName(header.name, limits: limits)
        try header.checkUnicodeName()
        try header.checkKind(isFolder: name.isFolder)
        if header.isEncrypted { throw Flaw(.encrypted, "entry \(quoted(header.name)) is encrypted") }
        // Bit 5 makes of the contents a patch for another file.
        guard header.method == 0 || header.method == 8, header.flags & (1 << 5) == 0 else {
            throw Flaw(.unknownMethod, "entry \(quoted(header.name)) is neither stored nor deflated")
        }
        try header.checkVersion()
        if name.isFolder, header.size != 0 || header.crc32 != 0 {
            throw Flaw(.fileAndFolder, "folder \(quoted(header.name)) has contents")
        }
        guard header.method == 8 || header.compressedSize == header.size else {
            throw Flaw(.wrongSize, "entry \(quoted(header.name)) is stored, but has two sizes")
        }
        // A deflated nothing takes two bytes.
        if header.method == 8, header.size == 0, header.compressedSize > 2 {
            throw Flaw(.wrongSize, "entry \(quoted(header.name)) is empty, but has contents")
        }
        return name
    }

    // MARK: The entries' own headers

    /// Checks that the entries lie one after another from the start of the file to the directory, in whatever order.
    ///
    /// - Returns: where each one's contents begin.
    private func checkLayout(_ headers: [EntryHeader], directoryOffset: Int) throws -> [Int] {
        var offsets = [Int](repeating: 0, count: headers.count)
        var window = Window(file: file, end: directoryOffset)
        let order = headers.indices.sorted { headers[$0].localOffset < headers[$1].localOffset }
        var end = 0
        for (position, index) in order.enumerated() {
            try cancellation.check()
            let header = headers[index]
            if header.localOffset != end { throw gap(from: end, to: header.localOffset, before: header) }
            let local = try EntryHeader(local: window.localHeader(at: end))
            try header.checkAgreement(withLocal: local)
            offsets[index] = end + local.length
            guard header.compressedSize <= directoryOffset - offsets[index] else {
                throw Flaw(.overlap, "entry \(quoted(header.name)) reaches into the directory")
            }
            end = offsets[index] + header.compressedSize
            if header.hasDescriptor {
                let next = position + 1 < order.count ? headers[order[position + 1]].localOffset : directoryOffset
                end = try checkDescriptor(of: header, local: local, from: end, to: next, &window)
                if header.method == 0 { try checkStreamed(header, from: offsets[index]) }
            }
        }
        guard end == directoryOffset else {
            if headers.isEmpty { throw Flaw(.dataBefore, "bytes come before its directory, which is empty") }
            throw Flaw(.dataBetween, "bytes between its last entry and its directory belong to neither")
        }
        return offsets
    }

    private func gap(from end: Int, to start: Int, before header: EntryHeader) -> Flaw {
        if start < end { return Flaw(.overlap, "entry \(quoted(header.name)) shares bytes with another") }
        if end == 0 { return Flaw(.dataBefore, "bytes come before its first entry") }
        return Flaw(.dataBetween, "bytes before entry \(quoted(header.name)) belong to no entry")
    }

    /// The descriptor repeats checksum and sizes after the contents: with or without a signature, its sizes of eight
    /// bytes where the header has a ZIP64 field, else of four. It must fill the space up to the next entry.
    ///
    /// - Returns: where it ends.
    private func checkDescriptor(
        of header: EntryHeader, local: EntryHeader, from start: Int, to end: Int, _ window: inout Window
    ) throws -> Int {
        let isWide = local.extra.zip64 != nil
        let plainLength = isWide ? 20 : 12
        let length = end - start
        guard length == plainLength || length == plainLength + 4 else {
            if length < 0 { throw Flaw(.overlap, "entry \(quoted(header.name)) shares bytes with another") }
            throw Flaw(
                .descriptorMismatch, "the data descriptor of \(quoted(header.name)) is missing, or not alone")
        }
        var bytes = try window.bytes(at: start, count: length)
        guard bytes.count == length else { throw Flaw(.descriptorMismatch, "it shrank while it was read") }
        let hasSignature = length == plainLength + 4
        if hasSignature {
            guard bytes.u32(at: 0) == 0x0807_4b50 else {
                throw Flaw(.descriptorMismatch, "the data descriptor of \(quoted(header.name)) has no signature")
            }
            bytes = bytes.dropFirst(4)
        } else if header.method == 0 || header.crc32 == 0x0807_4b50 {
            // A reader of a stream finds the end of what is stored by the signature alone, and takes a checksum that is
            // the same number for one.
            throw Flaw(
                .descriptorMismatch, "the data descriptor of \(quoted(header.name)) can't be told without a signature")
        }
        let sizes = isWide ? (bytes.u64(at: 4), bytes.u64(at: 12)) : (bytes.u32(at: 4), bytes.u32(at: 8))
        guard bytes.u32(at: 0) == Int(header.crc32), sizes == (header.compressedSize, header.size) else {
            throw Flaw(
                .descriptorMismatch,
                "the data descriptor of \(quoted(header.name)) says other things than the directory")
        }
        return end
    }
}

extension ArchiveReader {
    /// What is stored has no end of its own: a reader of a stream searches for the descriptor's signature.
    private func checkStreamed(_ header: EntryHeader, from start: Int) throws {
        let end = start + header.compressedSize
        var place = start
        while place < end {
            try cancellation.check()
            // The pieces overlap, so that a signature across their border is found.
            let piece = try file.read(count: min(256 << 10, end - place), at: place)
            guard !piece[...].holdsRecord else {
                throw Flaw(
                    .hiddenRecord, "entry \(quoted(header.name)) is stored with a descriptor, and holds a record")
            }
            guard piece.count > 3 else { return }
            place += place + piece.count < end ? piece.count - 3 : piece.count
        }
    }
}

/// A piece of the file in memory, so that the headers of small entries don't take a read each.
struct Window {
    private let file: OpenFile
    /// Nothing is read from here on.
    private let end: Int
    private var start = 0
    private var bytes: [UInt8] = []
    private static let length = 8 << 10

    init(file: OpenFile, end: Int) {
        self.file = file
        self.end = end
    }

    /// The bytes at a place of the file, fewer at the end.
    mutating func bytes(at place: Int, count: Int) throws -> ArraySlice<UInt8> {
        let count = max(0, min(count, end - place))
        if place < start || place + count > start + bytes.count {
            bytes = try file.read(count: min(max(count, Window.length), max(0, end - place)), at: place)
            start = place
        }
        return bytes[(place - start)..<min(place - start + count, bytes.count)]
    }

    mutating func localHeader(at place: Int) throws -> ArraySlice<UInt8> {
        let fixed = try bytes(at: place, count: EntryHeader.localLength)
        guard let length = EntryHeader.length(ofLocal: fixed) else { return fixed }
        return try bytes(at: place, count: length)
    }
}
