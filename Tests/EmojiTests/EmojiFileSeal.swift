import StoreModel

/// Makes the checksums of a changed file of format 2 right again, so that tests reach what is behind them.
enum EmojiFileSeal {
    static func seal(_ bytes: inout [UInt8]) {
        let count = number(bytes, 12, 4)
        for section in 0..<count {
            let entry = 40 + section * 32
            let (offset, size) = (number(bytes, entry + 8, 8), number(bytes, entry + 16, 8))
            bytes.replaceSubrange((entry + 24)..<(entry + 32), with: checksum(bytes[offset..<(offset + size)]))
        }
        let covered = Array(bytes[..<24]) + Array(bytes[32..<(40 + count * 32)])
        bytes.replaceSubrange(24..<32, with: checksum(covered))
    }

    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(SHA256Digest(of: bytes).bytes[..<8])
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
        bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
