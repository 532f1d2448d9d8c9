import StoreModel

/// Pseudorandom bytes that are the same in each run.
public enum OriginBytes {
    /// Returns `count` bytes.
    ///
    /// - Parameter seed: different seeds give different bytes.
    public static func random(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            // SplitMix64 (Steele, Lea, Flood 2014).
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

/// The generated content of a large file: one block repeated, each time with its number at its beginning.
enum OriginBlocks {
    static let size = 1 << 20
    private static let block = OriginBytes.random(size, seed: 7)

    static func bytes(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            block.withUnsafeBytes { block in
                while count < range.count {
                    let start = (range.lowerBound + count) % size
                    let length = min(size - start, range.count - count)
                    target[count..<count + length].copyBytes(from: block[start..<start + length])
                    count += length
                }
            }
            // Done after all blocks are copied, because a number may extend past the end of the requested range.
            for number in range.lowerBound / size...max(range.lowerBound, range.upperBound - 1) / size {
                for index in 0..<8 where range.contains(number * size + index) {
                    target[number * size + index - range.lowerBound] = UInt8(truncatingIfNeeded: number >> (8 * index))
                }
            }
        }
    }

    static func hash(of count: Int) -> SHA256Digest {
        var hasher = SHA256Hasher()
        for start in stride(from: 0, to: count, by: size) { hasher.update(bytes(start..<min(start + size, count))) }
        return hasher.finalize()
    }
}
