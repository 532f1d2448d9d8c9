/// XXH64 of the xxHash family (the specification "XXH64 Algorithm" in Cyan4973/xxHash, `doc/xxhash_spec.md`): a checksum
/// against damage, not against forgery. Of what was measured for 60 KB it alone takes a small part of the time that a
/// compiled skin may take.
enum XXHash64 {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(hash) }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let (p1, p2, p3, p4, p5) = primes
        let count = bytes.count
        var place = 0
        var result: UInt64
        if count >= 32 {
            // Four lanes, so that the multiplications of one don't wait for those of another.
            var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (p1 &+ p2, p2, 0, 0 &- p1)
            while place &+ 32 <= count {
                a = round(a, bytes.word64(place))
                b = round(b, bytes.word64(place &+ 8))
                c = round(c, bytes.word64(place &+ 16))
                d = round(d, bytes.word64(place &+ 24))
                place &+= 32
            }
            result = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            for lane in [a, b, c, d] { result = (result ^ round(0, lane)) &* p1 &+ p4 }
        } else {
            result = p5
        }
        result &+= UInt64(count)
        while place &+ 8 <= count {
            result = rotate(result ^ round(0, bytes.word64(place)), 27) &* p1 &+ p4
            place &+= 8
        }
        if place &+ 4 <= count {
            let word = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            result = rotate(result ^ (word &* p1), 23) &* p2 &+ p3
            place &+= 4
        }
        while place < count {
            result = rotate(result ^ (UInt64(bytes[place]) &* p5), 11) &* p1
            place &+= 1
        }
        result = (result ^ result >> 33) &* p2
        result = (result ^ result >> 29) &* p3
        return result ^ result >> 32
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* primes.1, 31) &* primes.0
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 &- count) }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func word64(_ place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
