import StoreXML

/// The size that an SVG image requests, in pixels of 1/96 inch.
struct SVGSize {
    let width: Int
    let height: Int

    /// Computes the size of an SVG from width and height, or from the view box; `nil` if these don't suffice.
    init?(_ element: XMLElement) {
        let box = element["viewBox"]?.split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) } ?? []
        let (boxWidth, boxHeight) = box.count == 4 ? (box[2], box[3]) : (nil, nil)
        guard let width = SVGSize.pixels(element["width"]) ?? boxWidth,
            let height = SVGSize.pixels(element["height"]) ?? boxHeight
        else { return nil }
        self.width = SVGSize.whole(width)
        self.height = SVGSize.whole(height)
    }

    /// Rounds a size up, and clamps it so that the product of two sizes does not overflow.
    private static func whole(_ number: Double) -> Int {
        number.isFinite && number > 0 ? Int(min(number.rounded(.up), 1_000_000_000)) : 0
    }

    /// Converts an SVG length, such as `2cm`, to pixels; `nil` for relative units and invalid text.
    private static func pixels(_ length: String?) -> Double? {
        guard let length = length?.filter({ !$0.isWhitespace }) else { return nil }
        let unit = length.suffix(while: { $0.isLetter || $0 == "%" })
        guard let number = Double(length.dropLast(unit.count)) else { return nil }
        switch unit.lowercased() {
        case "", "px": return number
        case "pt": return number * 96 / 72
        case "pc": return number * 16
        case "in": return number * 96
        case "cm": return number * 96 / 2.54
        case "mm": return number * 96 / 25.4
        default: return nil
        }
    }
}

extension String {
    fileprivate func suffix(while isTaken: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, isTaken(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
