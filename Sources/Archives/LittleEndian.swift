/// Numbers as a ZIP writes them, at a place counted from the slice's start. Whoever asks has checked the length.
extension ArraySlice<UInt8> {
    func u16(at place: Int) -> Int {
        Int(self[startIndex + place]) | Int(self[startIndex + place + 1]) << 8
    }

    func u32(at place: Int) -> Int {
        u16(at: place) | u16(at: place + 2) << 16
    }

    /// Clamped to a size that no file has, and that can be added to without overflow.
    func u64(at place: Int) -> Int {
        let high = u32(at: place + 4)
        return high >= 1 << 28 ? 1 << 60 : u32(at: place) | high << 32
    }

    /// The part that begins `place` bytes into the slice, `nil` if the slice is too short.
    func part(at place: Int, count: Int) -> ArraySlice<UInt8>? {
        guard place >= 0, count >= 0, count <= self.count - place else { return nil }
        return self[(startIndex + place)..<(startIndex + place + count)]
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes hold the signature of a record: a header, a descriptor, an end record, or ZIP64's.
    var holdsRecord: Bool {
        guard count >= 4 else { return false }
        return withUnsafeBytes { bytes in
            (0...(bytes.count - 4)).contains { place in
                guard bytes[place] == 0x50, bytes[place + 1] == 0x4b else { return false }
                return switch (bytes[place + 2], bytes[place + 3]) {
                case (1, 2), (3, 4), (5, 6), (6, 6), (6, 7), (7, 8): true
                default: false
                }
            }
        }
    }
}
