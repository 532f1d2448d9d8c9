import StoreModel

/// A picture of one colour that has exactly as many bytes as are wanted.
enum StoryPicture {
    /// The least that one has.
    static let smallest = head(of: "").count + end.count

    /// A GIF (GIF89a), whose comments make up what is missing.
    ///
    /// - Parameters:
    ///   - text: decides the colour.
    ///   - size: in bytes: ``smallest``, or five more at least.
    static func gif(of text: String, size: Int) -> [UInt8] {
        var bytes = head(of: text)
        let missing = size - bytes.count - end.count
        if missing > 0 { bytes += comment(size: missing) }
        return bytes + end
    }

    private static func head(of text: String) -> [UInt8] {
        let digest = SHA256Digest(of: Array(text.utf8)).hex.utf8
        let colour = digest.prefix(3).map { 0x60 + $0 % 16 * 8 }
        // One pixel, a table of two colours.
        return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + colour + [0, 0, 0]
    }

    /// The picture, of the first colour, and the end of the file.
    private static let end: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    private static func comment(size: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x21, 0xFE]
        // Of blocks that tell their length, of 255 bytes at most; none of the length 0, which is the end.
        var left = size - 3
        while left > 0 {
            let block = left == 257 ? 255 : min(left, 256)
            bytes += [UInt8(block - 1)] + [UInt8](repeating: UInt8(ascii: "."), count: block - 1)
            left -= block
        }
        return bytes + [0]
    }
}
