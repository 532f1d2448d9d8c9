/// A reader of the fields of one Protocol Buffers message.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A fixed number of 4 or 8 bytes, which Signal's manifest does not have.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next field; `nil` if the bytes are not a message.
    mutating func next() -> (number: UInt64, value: Value)? {
        guard let tag = varint(), tag >> 3 > 0 else { return nil }
        switch tag & 7 {
        case 0: return varint().map { (tag >> 3, .number($0)) }
        case 1: return skip(8) ? (tag >> 3, .fixed) : nil
        case 2:
            guard let length = varint(), length <= UInt64(rest.count) else { return nil }
            let bytes = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return (tag >> 3, .bytes(bytes))
        case 5: return skip(4) ? (tag >> 3, .fixed) : nil
        default: return nil
        }
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func varint() -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst() {
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }
}
