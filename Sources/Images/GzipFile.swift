import StoreCDeflate
public import StoreModel

/// A gzip file in memory that is an image or contains one, such as a TGS animation or the SVG of a font.
public struct GzipFile: Sendable {
    private let bytes: [UInt8]

    /// Creates a gzip file with the given bytes, which are checked when the content is read.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns whether bytes begin as a gzip file does.
    public static func isRecognized(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

    /// Returns the content of the gzip file, which must end with it.
    ///
    /// - Parameter limit: the maximum size of the content in bytes; no more memory is allocated.
    /// - Throws: `content.image-too-large`; `content.image-damaged` if the file is damaged or something follows it.
    public func content(limit: Int) throws(StoreError) -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw StoreError(.imageNotDecodable) }
        defer { libdeflate_free_decompressor(decompressor) }
        // The last four bytes state the size; what they say is not trusted.
        guard bytes.count > 18 else { throw StoreError(.imageTruncated) }
        let stated = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard stated <= limit else {
            throw StoreError(.imageFileTooLarge, ["size": .bytes(stated), "limit": .bytes(limit)])
        }
        var output = [UInt8](repeating: 0, count: stated)
        var (used, filled) = (0, 0)
        let result = libdeflate_gzip_decompress_ex(
            decompressor, bytes, bytes.count, &output, output.count, &used, &filled)
        guard result == LIBDEFLATE_SUCCESS, filled == stated else { throw StoreError(.imageNotDecodable) }
        guard used == bytes.count else {
            throw StoreError(.imageTrailingData, ["size": .bytes(bytes.count - used)])
        }
        return output
    }
}
