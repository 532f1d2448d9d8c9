import StoreSystem

/// A namespace for the SVG documents of fonts (OpenType, table SVG).
enum SVGGlyph {
    /// Returns the SVG document of one glyph; `nil` if the document has other glyphs, too, or is compressed.
    ///
    /// The glyphs of a document with several can only be separated by rendering it.
    static func document(_ bytes: [UInt8], glyph: UInt32) -> [UInt8]? {
        let mark = Array("id=\"glyph".utf8)
        var found: [[UInt8]] = []
        var position = 0
        while position + mark.count <= bytes.count {
            guard bytes[position] == mark[0], bytes[position..<(position + mark.count)].elementsEqual(mark) else {
                position += 1
                continue
            }
            let digits = bytes[(position + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
            found.append(Array(digits.prefix(11)))
            position += mark.count
        }
        return found == [Array(String(glyph).utf8)] ? bytes : nil
    }
}
