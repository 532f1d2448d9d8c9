import StoreSystem

// Little-endian numbers at an offset from the start of the slice. The caller has checked the length.
extension ArraySlice<UInt8> {
    /// Returns the little-endian 16-bit number at an offset from the start of the slice.
    func u16(at offset: Int) -> Int {
        Int(self[startIndex + offset]) | Int(self[startIndex + offset + 1]) << 8
    }

    /// Returns the little-endian 32-bit number at an offset from the start of the slice.
    func u32(at offset: Int) -> Int {
        u16(at: offset) | u16(at: offset + 2) << 16
    }

    /// Returns the little-endian 64-bit number at an offset from the start of the slice, clamped to 2^60.
    ///
    /// No file has more bytes than that, and no sum of a few such numbers overflows.
    func u64(at offset: Int) -> Int {
        let high = u32(at: offset + 4)
        return high >= 1 << 28 ? 1 << 60 : u32(at: offset) | high << 32
    }

    /// Returns `count` bytes at an offset from the start of the slice, or `nil` if the slice is too short.
    func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, count <= self.count - offset else { return nil }
        return self[(startIndex + offset)..<(startIndex + offset + count)]
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes contain a record signature of the ZIP format.
    ///
    /// These are the signatures of a header, a descriptor, an end record and ZIP64's records.
    var containsRecordSignature: Bool {
        withUnsafeBytes { bytes in
            var position = 0
            while let offset = bytes.recordOffset(from: position) {
                switch (bytes[offset + 2], bytes[offset + 3]) {
                case (1, 2), (3, 4), (5, 6), (6, 6), (6, 7), (7, 8): return true
                default: position = offset + 1
                }
            }
            return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the first offset from `start` on of the letters "PK" with two bytes behind them, with which every record of
    /// the ZIP format begins; `nil` if there is none.
    func recordOffset(from start: Int) -> Int? {
        var position = start
        while let offset = self.offset(of: 0x50, from: position), offset <= count - 4 {
            if self[offset + 1] == 0x4b { return offset }
            position = offset + 1
        }
        return nil
    }
}
