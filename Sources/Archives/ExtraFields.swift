/// The extra fields of a header, as far as a reader may take another meaning from them. Those of an unknown kind
/// (times, owners, Java's mark) are passed over.
struct ExtraFields {
    /// Kind 0x0001: sizes and offset that do not fit their fields.
    private(set) var zip64: ArraySlice<UInt8>?
    /// Kind 0x7075: the name once more, in UTF-8.
    private(set) var unicodeName: ArraySlice<UInt8>?
    /// Unix modes that fields give, beside that of the directory.
    private(set) var modes: [Int] = []
    /// A field names what the entry is a link to.
    private(set) var hasLinkTarget = false
    private(set) var isEncrypted = false

    init(_ bytes: ArraySlice<UInt8>) throws(Flaw) {
        if bytes.holdsRecord { throw Flaw(.hiddenRecord, "a record is hidden in an extra field") }
        var rest = bytes
        // Tools that align the bytes after a header fill up with zeros, fewer than a field's own header at times.
        while rest.count >= 4 {
            guard let field = rest.part(at: 4, count: rest.u16(at: 2)) else {
                throw Flaw(.badExtraField, "an extra field is longer than its header says")
            }
            try take(kind: rest.u16(at: 0), field)
            rest = rest.dropFirst(4 + field.count)
        }
        guard rest.allSatisfy({ $0 == 0 }) else {
            throw Flaw(.badExtraField, "bytes after the extra fields belong to none")
        }
    }

    private mutating func take(kind: Int, _ field: ArraySlice<UInt8>) throws(Flaw) {
        switch kind {
        case 0x0001:
            guard zip64 == nil else { throw Flaw(.badExtraField, "it has two ZIP64 extra fields") }
            zip64 = field
        case 0x7075:
            // One byte version, four the checksum of the plain name.
            guard unicodeName == nil, field.count >= 5, field.first == 1 else {
                throw Flaw(.badExtraField, "its Unicode name is broken or there twice")
            }
            unicodeName = field.dropFirst(5)
        case 0x000d:
            // PKWARE's Unix field: times and owner take 12 bytes, what a link leads to follows.
            if field.count > 12 { hasLinkTarget = true }
        case 0x756e:
            // ASi's Unix field: checksum, mode, size of the link's target, owner, group, target.
            guard field.count >= 14 else { throw Flaw(.badExtraField, "its Unix extra field is too short") }
            modes.append(field.u16(at: 4))
            if field.count > 14 { hasLinkTarget = true }
        case 0x6c78:
            try takeStreamed(field)
        case 0x9901, 0x0017:
            isEncrypted = true
        default:
            break
        }
    }

    /// libarchive's field, in which a stream is told what else stands in the directory: a byte of bits that say which
    /// follow of version (2 bytes), internal (2) and external attributes (4).
    private mutating func takeStreamed(_ field: ArraySlice<UInt8>) throws(Flaw) {
        guard let bits = field.first else { return }
        guard bits & 4 != 0 else { return }
        let place = 1 + (bits & 1 != 0 ? 2 : 0) + (bits & 2 != 0 ? 2 : 0)
        guard let attributes = field.part(at: place, count: 4) else {
            throw Flaw(.badExtraField, "its extra field of attributes is too short")
        }
        modes.append(attributes.u16(at: 2))
    }
}
