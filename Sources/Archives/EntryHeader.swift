import StoreModel

/// The fields that a ZIP entry's local header and its header in the central directory have in common.
struct EntryHeader {
    /// The version of the ZIP format that a reader must support to read the entry, times ten.
    let version: Int
    let flags: Int
    let method: Int
    let crc32: UInt32
    private(set) var compressedSize: Int
    private(set) var size: Int
    /// The offset of the ZIP entry's local header from the start of the file; 0 if this is a local header.
    private(set) var localOffset: Int
    /// The external attributes of the ZIP entry (Unix mode and DOS attributes); 0 if this is a local header.
    let attributes: Int
    let name: ArraySlice<UInt8>
    let extra: ExtraFields
    /// The length of the ZIP entry's header in bytes, including names and extra fields.
    let length: Int

    static let centralLength = 46
    static let localLength = 30
    static let centralSignature = 0x0201_4b50
    static let localSignature = 0x0403_4b50

    var isEncrypted: Bool { flags & (1 | 1 << 6 | 1 << 13) != 0 || method == 99 || extra.isEncrypted }
    var hasDescriptor: Bool { flags & (1 << 3) != 0 }

    /// Parses the header of a ZIP file's central directory at the start of `bytes`, which may continue after it.
    init(central bytes: ArraySlice<UInt8>) throws(StoreError) {
        guard bytes.count >= EntryHeader.centralLength, bytes.u32(at: 0) == EntryHeader.centralSignature else {
            throw StoreError(.archiveEntriesMissing)
        }
        guard bytes.u16(at: 34) == 0 || bytes.u16(at: 34) == 0xffff else {
            throw StoreError(.archiveSeveralDisks)
        }
        let (nameLength, extraLength, commentLength) = (bytes.u16(at: 28), bytes.u16(at: 30), bytes.u16(at: 32))
        length = EntryHeader.centralLength + nameLength + extraLength + commentLength
        guard length <= bytes.count,
            let name = bytes.slice(at: EntryHeader.centralLength, count: nameLength),
            let extraBytes = bytes.slice(at: EntryHeader.centralLength + nameLength, count: extraLength)
        else { throw StoreError(.archiveEntryTruncated) }
        guard bytes.slice(at: length - commentLength, count: commentLength)?.containsRecordSignature == false else {
            throw StoreError(.archiveRecordInEntryComment, ["entry": .untrusted(name)])
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
        try readZip64(disk: bytes.u16(at: 34), offset: localOffset)
    }

    /// Parses the local header of a ZIP entry at the start of `bytes`, which may continue after it.
    init(local bytes: ArraySlice<UInt8>) throws(StoreError) {
        guard bytes.count >= EntryHeader.localLength, bytes.u32(at: 0) == EntryHeader.localSignature else {
            throw StoreError(.archiveHeaderMissing)
        }
        let (nameLength, extraLength) = (bytes.u16(at: 26), bytes.u16(at: 28))
        length = EntryHeader.localLength + nameLength + extraLength
        guard let name = bytes.slice(at: EntryHeader.localLength, count: nameLength),
            let extraBytes = bytes.slice(at: EntryHeader.localLength + nameLength, count: extraLength)
        else { throw StoreError(.archiveHeaderTruncated) }
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
        try readZip64(disk: 0, offset: 0)
    }

    /// Returns the length of a ZIP entry's local header, computed from its first 30 bytes; `nil` if there are fewer.
    static func length(ofLocal bytes: ArraySlice<UInt8>) -> Int? {
        bytes.count < localLength ? nil : localLength + bytes.u16(at: 26) + bytes.u16(at: 28)
    }

    /// Replaces fields of a ZIP header whose bits are all ones with the 64-bit numbers of the ZIP64 extra field.
    ///
    /// The extra field contains only the numbers of such fields, in this order (APPNOTE 4.5.3). Some writers include
    /// all numbers. This is accepted if the numbers of fields that are all ones come first and the others repeat their
    /// fields, because then readers that count the fields and readers that use all numbers agree.
    private mutating func readZip64(disk: Int, offset: Int) throws(StoreError) {
        let fields = [size, compressedSize, offset]
        let refers = fields.map { $0 == 0xffff_ffff }
        guard let field = extra.zip64 else {
            guard !refers.contains(true), disk == 0 else {
                throw StoreError(.archiveZIP64FieldMissing)
            }
            return
        }
        let wanted = refers.filter { $0 }.count
        let numbers = min(3, field.count / 8)
        let rest = field.count - numbers * 8
        let isExact = field.count == wanted * 8 + (disk == 0xffff ? 4 : 0)
        let isWhole =
            disk == 0 && (numbers == 3 || wanted == 0) && refers.prefix(wanted).allSatisfy { $0 }
            && (wanted..<numbers).allSatisfy { field.u64(at: $0 * 8) == fields[$0] }
            && (rest == 0 || rest == 4 && numbers == 3 && field.u32(at: 24) == 0)
        guard isExact || isWhole else {
            throw StoreError(.archiveZIP64FieldInvalid)
        }
        var offset = 0
        func next() -> Int {
            defer { offset += 8 }
            return field.u64(at: offset)
        }
        if refers[0] { size = next() }
        if refers[1] { compressedSize = next() }
        if refers[2] { localOffset = next() }
        if disk == 0xffff, field.u32(at: offset) != 0 {
            throw StoreError(.archiveSeveralDisks)
        }
    }

    /// Checks that a ZIP entry's local header agrees with this header of the central directory.
    ///
    /// The local header of an entry with a data descriptor may have 0 for checksum and sizes.
    func checkAgreement(withLocal local: EntryHeader) throws(StoreError) {
        // Encrypted, descriptor, patch data, strong encryption, UTF-8, masked. The other flags describe the compression level.
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
        if local.isEncrypted { throw StoreError(.archiveEntryEncrypted, ["entry": .untrusted(name)]) }
        try local.checkType(isDirectory: nil)
        try local.checkUnicodeName()
        try local.checkVersion()
    }

    /// Checks that the ZIP entry requires at most version 4.5, which covers stored, deflate and ZIP64.
    ///
    /// Readers skip an entry that requires a version they don't support.
    func checkVersion() throws(StoreError) {
        guard version <= 45 else {
            throw StoreError(
                .archiveVersionUnsupported, ["entry": .untrusted(name), "version": "\(version / 10).\(version % 10)"])
        }
    }

    private func mismatch(_ field: String) -> StoreError {
        StoreError(.archiveHeadersDiffer, ["entry": .untrusted(name), "field": field])
    }

    /// Checks that the ZIP entry is a regular file or a directory, and that all statements of its type agree.
    ///
    /// - Parameter isDirectory: whether the entry's name ends with a slash, that of a directory; `nil` if unknown.
    func checkType(isDirectory: Bool?) throws(StoreError) {
        if extra.hasLinkTarget { throw StoreError(.archiveEntryIsLink, ["entry": .untrusted(name)]) }
        // Checked whatever system made the archive, because readers differ in whether they consider the system.
        for mode in extra.modes + [attributes >> 16] {
            switch mode >> 12 {
            case 0: break
            case 0o04:
                if isDirectory == false { throw StoreError(.archiveFileAndDirectory, ["entry": .untrusted(name)]) }
            case 0o10:
                if isDirectory == true { throw StoreError(.archiveFileAndDirectory, ["entry": .untrusted(name)]) }
            case 0o12: throw StoreError(.archiveEntryIsLink, ["entry": .untrusted(name)])
            default: throw StoreError(.archiveEntryIsSpecial, ["entry": .untrusted(name)])
            }
        }
        // The DOS attribute of a directory.
        if isDirectory == false, attributes & 0x10 != 0 {
            throw StoreError(.archiveFileAndDirectory, ["entry": .untrusted(name)])
        }
    }

    /// Checks that a Unicode Path extra field of the ZIP header, if there is one, repeats the name in the header.
    func checkUnicodeName() throws(StoreError) {
        if let second = extra.unicodeName, second != name {
            throw StoreError(.archiveSecondName, ["entry": .untrusted(name), "other": .untrusted(second)])
        }
    }
}
