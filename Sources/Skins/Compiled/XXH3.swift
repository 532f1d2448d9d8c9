import StoreCXXHash

/// A namespace for the checksum XXH3, which protects against damage, not against forgery.
///
/// A compiled skin must load quickly: of the checksums that were measured for 60 KB, only this one takes a small part
/// of the loading time.
enum XXH3 {
    static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(hash) }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { cxxhash_3(bytes.baseAddress, bytes.count) }
}
