/// The names of the members of one JSON object, collected to find one that occurs twice.
///
/// Two names are the same if Swift's strings are, as in a dictionary: canonically equivalent names are one name.
struct JSONMemberNames {
    /// The number of names up to which comparing each with all others is faster than a set.
    private static let few = 16

    /// A few names in ASCII, which are the same only if their bytes are.
    private var plain: [ArraySlice<UInt8>] = []
    /// All names, once there are many of them or one is not in ASCII; else empty.
    private var texts: Set<String> = []

    /// Adds a name, whose escapes are resolved; returns `false` where it was added before.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
        if texts.isEmpty {
            if plain.count < Self.few, name.allSatisfy({ $0 < 0x80 }) {
                guard !plain.contains(name) else { return false }
                plain.append(name)
                return true
            }
            texts = Set(plain.map { String(decoding: $0, as: UTF8.self) })
        }
        return texts.insert(String(decoding: name, as: UTF8.self)).inserted
    }
}
