import StoreModel

/// What the two headers of an entry have in common: the one before its bytes and the one in the central directory.
struct EntryHeader {
    /// Of the format that a reader must know, times ten; the byte above it tells a system.
    let version: Int
    let flags: Int
    let method: Int
    let crc32: UInt32
    private(set) var compressedSize: Int
    private(set) var size: Int
    /// Only the directory has it.
    private(set) var localOffset: Int
    /// Unix mode and DOS attributes; 0 in a local header.
    let attributes: Int
    let name: ArraySlice<UInt8>
    let extra: ExtraFields
    /// Bytes of the whole header.
    let length: Int

    static let centralLength = 46
    static let localLength = 30
    static let centralSignature = 0x0201_4b50
    static let localSignature = 0x0403_4b50

    var isEncrypted: Bool { flags & (1 | 1 << 6 | 1 << 13) != 0 || method == 99 || extra.isEncrypted }
    var hasDescriptor: Bool { flags & (1 << 3) != 0 }

    /// Reads the header that stands at the start of `bytes`, which may hold more.
    init(central bytes: ArraySlice<UInt8>) throws(Flaw) {
        guard bytes.count >= EntryHeader.centralLength, bytes.u32(at: 0) == EntryHeader.centralSignature else {
            throw Flaw(.badDirectory, "its directory holds fewer entries than the end record says")
        }
        guard bytes.u16(at: 34) == 0 || bytes.u16(at: 34) == 0xffff else {
            throw Flaw(.severalDisks, "an entry lies in another part of it")
        }
        let (nameLength, extraLength, commentLength) = (bytes.u16(at: 28), bytes.u16(at: 30), bytes.u16(at: 32))
        length = EntryHeader.centralLength + nameLength + extraLength + commentLength
        guard length <= bytes.count,
            let name = bytes.part(at: EntryHeader.centralLength, count: nameLength),
            let extraBytes = bytes.part(at: EntryHeader.centralLength + nameLength, count: extraLength)
        else { throw Flaw(.badDirectory, "an entry reaches over the end of its directory") }
        guard bytes.part(at: length - commentLength, count: commentLength)?.holdsRecord == false else {
            throw Flaw(.hiddenRecord, "a record is hidden in the comment of entry \(quoted(name))")
        }
        version = bytes.u16(at: 6) & 0xff
        flags = bytes.u16(at: 8)
        method = bytes.u16(at: 10)
        crc32 = UInt32(bytes.u32(at: 16))
        compressedSize = bytes.u32(at: 20)
        size = bytes.u32(at: 24)
        attributes = bytes.u32(at: 38)
        localOffset = bytes.u32(at: 42)
        self.name = name
        extra = try ExtraFields(extraBytes)
        try takeZip64(disk: bytes.u16(at: 34), offset: localOffset)
    }

    /// Reads the header that stands at the start of `bytes`, which may hold more.
    init(local bytes: ArraySlice<UInt8>) throws(Flaw) {
        guard bytes.count >= EntryHeader.localLength, bytes.u32(at: 0) == EntryHeader.localSignature else {
            throw Flaw(.headerMismatch, "an entry's own header is not where the directory says")
        }
        let (nameLength, extraLength) = (bytes.u16(at: 26), bytes.u16(at: 28))
        length = EntryHeader.localLength + nameLength + extraLength
        guard let name = bytes.part(at: EntryHeader.localLength, count: nameLength),
            let extraBytes = bytes.part(at: EntryHeader.localLength + nameLength, count: extraLength)
        else { throw Flaw(.headerMismatch, "an entry's own header reaches over the end of the file") }
        version = bytes.u16(at: 4) & 0xff
        flags = bytes.u16(at: 6)
        method = bytes.u16(at: 8)
        crc32 = UInt32(bytes.u32(at: 14))
        compressedSize = bytes.u32(at: 18)
        size = bytes.u32(at: 22)
        attributes = 0
        localOffset = 0
        self.name = name
        extra = try ExtraFields(extraBytes)
        try takeZip64(disk: 0, offset: 0)
    }

    /// Bytes of a local header, told from its first 30; `nil` where they are too few.
    static func length(ofLocal bytes: ArraySlice<UInt8>) -> Int? {
        bytes.count < localLength ? nil : localLength + bytes.u16(at: 26) + bytes.u16(at: 28)
    }

    /// Puts the wide numbers in the place of fields that are all ones. The extra field holds only those, in this
    /// order. Some writers put in all of them: taken where those that refer come first, and the others are the same as
    /// in their fields, for then it does not matter whether a reader counts or takes what it needs.
    private mutating func takeZip64(disk: Int, offset: Int) throws(Flaw) {
        let known = [size, compressedSize, offset]
        let refers = known.map { $0 == 0xffff_ffff }
        guard let field = extra.zip64 else {
            guard !refers.contains(true), disk == 0 else {
                throw Flaw(.zip64Mismatch, "an entry refers to a ZIP64 extra field that is not there")
            }
            return
        }
        let wanted = refers.filter { $0 }.count
        let numbers = min(3, field.count / 8)
        let rest = field.count - numbers * 8
        let isExact = field.count == wanted * 8 + (disk == 0xffff ? 4 : 0)
        let isWhole =
            disk == 0 && (numbers == 3 || wanted == 0) && refers.prefix(wanted).allSatisfy { $0 }
            && (wanted..<numbers).allSatisfy { field.u64(at: $0 * 8) == known[$0] }
            && (rest == 0 || rest == 4 && numbers == 3 && field.u32(at: 24) == 0)
        guard isExact || isWhole else {
            throw Flaw(.zip64Mismatch, "an entry's ZIP64 extra field has not the numbers it must have")
        }
        var place = 0
        func next() -> Int {
            defer { place += 8 }
            return field.u64(at: place)
        }
        if refers[0] { size = next() }
        if refers[1] { compressedSize = next() }
        if refers[2] { localOffset = next() }
        if disk == 0xffff, field.u32(at: place) != 0 {
            throw Flaw(.severalDisks, "an entry lies in another part of it")
        }
    }

    /// Checks that an entry's own header says what the directory says. One that has a data descriptor may leave
    /// checksum and sizes open.
    func checkAgreement(withLocal local: EntryHeader) throws(Flaw) {
        // Encrypted, descriptor, patch data, strong encryption, UTF-8, masked. The rest tell how hard was packed.
        let meaning = 1 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 13
        if local.name != name { throw mismatch("name") }
        if local.method != method { throw mismatch("method") }
        if local.flags & meaning != flags & meaning { throw mismatch("flags") }
        func agree(_ local: some BinaryInteger, _ central: some BinaryInteger) -> Bool {
            local == central || hasDescriptor && local == 0
        }
        if !agree(local.crc32, crc32) { throw mismatch("checksum") }
        if !agree(local.compressedSize, compressedSize) { throw mismatch("compressed size") }
        if !agree(local.size, size) { throw mismatch("size") }
        if local.isEncrypted { throw Flaw(.encrypted, "entry \(quoted(name)) is encrypted") }
        try local.checkKind(isFolder: nil)
        try local.checkUnicodeName()
        try local.checkVersion()
    }

    /// Stored, deflate and ZIP64 take 4.5; readers pass over an entry that asks for more than they know.
    func checkVersion() throws(Flaw) {
        guard version <= 45 else {
            throw Flaw(
                .unknownMethod, "entry \(quoted(name)) asks for version \(version / 10).\(version % 10) of the format")
        }
    }

    private func mismatch(_ what: String) -> Flaw {
        Flaw(.headerMismatch, "entry \(quoted(name)) has another \(what) in its own header than in the directory")
    }

    /// Checks that the entry is a regular file or a folder, and which of them wherever it is said.
    func checkKind(isFolder: Bool?) throws(Flaw) {
        if extra.hasLinkTarget { throw Flaw(.link, "entry \(quoted(name)) is a link") }
        // Whatever system the archive claims to be from: readers differ in whether they ask.
        for mode in extra.modes + [attributes >> 16] {
            switch mode >> 12 {
            case 0: break
            case 0o04:
                if isFolder == false { throw Flaw(.fileAndFolder, "\(quoted(name)) is a file and a folder") }
            case 0o10:
                if isFolder == true { throw Flaw(.fileAndFolder, "\(quoted(name)) is a file and a folder") }
            case 0o12: throw Flaw(.link, "entry \(quoted(name)) is a symbolic link")
            default: throw Flaw(.specialFile, "entry \(quoted(name)) is neither a file nor a folder")
            }
        }
        // The DOS attribute of a folder.
        if isFolder == false, attributes & 0x10 != 0 {
            throw Flaw(.fileAndFolder, "\(quoted(name)) is a file and a folder")
        }
    }

    func checkUnicodeName() throws(Flaw) {
        if let second = extra.unicodeName, second != name {
            throw Flaw(.secondName, "entry \(quoted(name)) has another name, \(quoted(second)), in an extra field")
        }
    }
}

/// A name for messages: cut to 80 bytes, and without anything that a terminal would obey.
func quoted(_ name: ArraySlice<UInt8>) -> String {
    let text = String(decoding: name.prefix(80), as: UTF8.self)
    let plain = text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: "\u{fffd}"
        default: String(scalar)
        }
    }
    return "'" + plain.joined() + (name.count > 80 ? "…'" : "'")
}
