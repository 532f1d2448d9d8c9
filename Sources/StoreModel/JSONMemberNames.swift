/// The names of the members of one JSON object, collected to find one that occurs twice.
///
/// Two names are the same if Swift's strings are, as in a dictionary: canonically equivalent names are one name.
struct JSONMemberNames {
    /// A name without escapes and in ASCII, which is the same as another one only if its bytes are.
    private struct Plain {
        /// The length and the first seven bytes: names with different keys are different.
        var key: UInt64
        var range: Range<Int>
    }

    /// The first names, as many as are compared with all others faster than looked up in a set.
    ///
    /// They need no allocation: most objects have only these, and a document has thousands of objects.
    private var plain = InlineArray<16, Plain>(repeating: Plain(key: 0, range: 0..<0))
    /// The number of names in `plain`.
    private var count = 0
    /// All names, once there are many of them or one is not plain; else empty.
    private var texts: Set<String> = []

    /// Adds the name at a range of a document, which contains no escapes; returns `false` if it was added before.
    mutating func insert(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard texts.isEmpty, count < plain.count, let key = Self.key(bytes[range]) else {
            return insert(String(decoding: bytes[range], as: UTF8.self), of: bytes)
        }
        for index in 0..<count where plain[index].key == key && bytes[plain[index].range] == bytes[range] {
            return false
        }
        plain[count] = Plain(key: key, range: range)
        count += 1
        return true
    }

    /// Adds a name with its escapes decoded; returns `false` if it was added before.
    mutating func insert(_ text: String, of bytes: [UInt8]) -> Bool {
        for index in 0..<count { texts.insert(String(decoding: bytes[plain[index].range], as: UTF8.self)) }
        count = 0
        return texts.insert(text).inserted
    }

    /// The key of a plain name; `nil` if the name is not in ASCII.
    private static func key(_ name: ArraySlice<UInt8>) -> UInt64? {
        var key = UInt64(truncatingIfNeeded: name.count)
        var all: UInt8 = 0
        var position = 0
        for byte in name {
            all |= byte
            if position < 7 { key = key << 8 | UInt64(byte) }
            position += 1
        }
        return all < 0x80 ? key : nil
    }
}
