import StoreCXXHash

/// The checksum XXH64 of the xxHash family: protects against damage, not against forgery.
///
/// Of the checksums that were measured for 60 KB it alone takes a small part of the time in which a compiled skin must
/// be loaded.
enum XXHash64 {
    static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(hash) }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { cxxhash_64(bytes.baseAddress, bytes.count) }
}
