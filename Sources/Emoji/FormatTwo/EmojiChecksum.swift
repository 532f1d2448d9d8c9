import StoreModel

/// A namespace for the checksums of emoji files: the first eight bytes of a SHA-256, as a little-endian number.
///
/// They protect against damage; whole packs are verified with complete digests.
enum EmojiChecksum {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        SHA256Digest(of: bytes).bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
