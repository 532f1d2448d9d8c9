import StoreModel

/// The extra fields of a ZIP header that can change how a reader interprets an entry.
///
/// Fields of other kinds (times, owners, Java's marker) are ignored.
struct ExtraFields {
    /// The 64-bit sizes and offset of a ZIP header's ZIP64 field (kind 0x0001); `nil` if the header has none.
    private(set) var zip64: ArraySlice<UInt8>?
    /// The entry's name in UTF-8 of a ZIP header's Unicode Path field (kind 0x7075); `nil` if the header has none.
    private(set) var unicodeName: ArraySlice<UInt8>?
    /// The Unix file modes that a ZIP header's extra fields state for the entry.
    private(set) var modes: [Int] = []
    /// Whether an extra field of the ZIP header contains the target of a symbolic or hard link.
    private(set) var hasLinkTarget = false
    private(set) var isEncrypted = false

    /// Parses the extra fields of a ZIP header.
    init(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        if bytes.containsRecordSignature { throw StoreError(.archiveRecordInExtraField) }
        var rest = bytes
        // Tools that align contents pad with zeros, sometimes with fewer than the four bytes of a field's header.
        while rest.count >= 4 {
            guard let field = rest.slice(at: 4, count: rest.u16(at: 2)) else {
                throw StoreError(.archiveExtraFieldTruncated)
            }
            try read(kind: rest.u16(at: 0), field)
            rest = rest.dropFirst(4 + field.count)
        }
        guard rest.allSatisfy({ $0 == 0 }) else {
            throw StoreError(.archiveExtraFieldTrailing)
        }
    }

    private mutating func read(kind: Int, _ field: ArraySlice<UInt8>) throws(StoreError) {
        switch kind {
        case 0x0001:
            guard zip64 == nil else { throw StoreError(.archiveZIP64FieldTwice) }
            zip64 = field
        case 0x7075:
            // A byte of version and four bytes of the header name's checksum precede the name.
            guard unicodeName == nil, field.count >= 5, field.first == 1 else {
                throw StoreError(.archiveUnicodeNameInvalid)
            }
            unicodeName = field.dropFirst(5)
        case 0x000d:
            // PKWARE's Unix field: 12 bytes of times and owner, then the target of a link.
            if field.count > 12 { hasLinkTarget = true }
        case 0x756e:
            // ASi's Unix field: checksum, mode, size of the link's target, owner, group, target.
            guard field.count >= 14 else { throw StoreError(.archiveUnixFieldTooShort) }
            modes.append(field.u16(at: 4))
            if field.count > 14 { hasLinkTarget = true }
        case 0x6c78:
            try readStreamingAttributes(field)
        case 0x9901, 0x0017:
            isEncrypted = true
        default:
            break
        }
    }

    /// Reads libarchive's extra field of a ZIP header, which repeats fields of the central directory.
    ///
    /// The field is meant for streaming readers. A byte of bits says which of version (2 bytes), internal attributes
    /// (2) and external attributes (4) follow.
    private mutating func readStreamingAttributes(_ field: ArraySlice<UInt8>) throws(StoreError) {
        guard let bits = field.first else { return }
        guard bits & 4 != 0 else { return }
        let offset = 1 + (bits & 1 != 0 ? 2 : 0) + (bits & 2 != 0 ? 2 : 0)
        guard let attributes = field.slice(at: offset, count: 4) else {
            throw StoreError(.archiveAttributesTooShort)
        }
        modes.append(attributes.u16(at: 2))
    }
}
