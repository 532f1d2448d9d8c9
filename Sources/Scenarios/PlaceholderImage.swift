import StoreModel

/// A namespace for creating GIF images of one colour with an exact size in bytes, as content of test packs.
enum PlaceholderImage {
    /// The smallest possible size of a placeholder image, in bytes.
    static let minimumSize = head(of: "").count + end.count

    /// Returns a GIF image (GIF89a) of one colour that a comment extends to the requested size.
    ///
    /// - Parameters:
    ///   - text: determines the colour.
    ///   - size: the size in bytes: ``minimumSize``, or at least five bytes more.
    static func gif(of text: String, size: Int) -> [UInt8] {
        var bytes = head(of: text)
        let missing = size - bytes.count - end.count
        if missing > 0 { bytes += comment(size: missing) }
        return bytes + end
    }

    private static func head(of text: String) -> [UInt8] {
        let digest = SHA256Digest(of: Array(text.utf8)).hex.utf8
        let colour = digest.prefix(3).map { 0x60 + $0 % 16 * 8 }
        // One pixel, a colour table of two entries.
        return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + colour + [0, 0, 0]
    }

    /// The bytes of the GIF's image data, which uses the first colour, and the trailer.
    private static let end: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    private static func comment(size: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x21, 0xFE]
        // A comment consists of blocks of a length byte and up to 255 bytes; the length 0 ends it.
        var left = size - 3
        while left > 0 {
            let block = left == 257 ? 255 : min(left, 256)
            bytes += [UInt8(block - 1)] + [UInt8](repeating: UInt8(ascii: "."), count: block - 1)
            left -= block
        }
        return bytes + [0]
    }
}
