/// A colour in sRGB with eight bits per channel.
public struct SkinColor: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    /// The opacity of the colour from 0 to 255; 255 is opaque.
    public let alpha: UInt8

    /// Creates an sRGB colour from its channels, each from 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

extension SkinColor {
    /// The channels in one number: red in bits 24 to 31, then green, blue and alpha.
    var bits: UInt32 { UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha) }

    /// Creates a colour from the number that ``bits`` returns.
    init(bits: UInt32) {
        self.init(
            red: UInt8(bits >> 24), green: UInt8(bits >> 16 & 0xFF), blue: UInt8(bits >> 8 & 0xFF),
            alpha: UInt8(bits & 0xFF))
    }
}

/// The type `color` of values in skins, in the notation that the attribute `format` names.
///
/// `RGB` and `RGBA` are numbers from 0 to 1; `HEX`, the default, is `#rrggbb` or `#rrggbbaa`.
public struct ColorType: ObjectType {
    public let name = "color"
    public init() {}

    public func value(of source: ObjectSource) throws(ObjectError) -> SkinColor {
        switch source["format"] ?? "HEX" {
        case "HEX":
            guard let color = value(ofText: source.text) else {
                throw .bad("invalid colour '\(source.text.prefix(60))', expected #rrggbb or #rrggbbaa")
            }
            return color
        case "RGB": return try color(source.text, parts: 3)
        case "RGBA": return try color(source.text, parts: 4)
        case let format: throw .bad("unknown format '\(format.prefix(60))', expected RGB, RGBA or HEX")
        }
    }

    private func color(_ text: String, parts: Int) throws(ObjectError) -> SkinColor {
        guard let numbers = SkinNumber.read(text, count: parts), numbers.allSatisfy({ (0...1).contains($0) }) else {
            throw .bad("invalid colour '\(text.prefix(60))', expected \(parts) numbers from 0 to 1")
        }
        let bytes = numbers.map { UInt8(($0 * 255).rounded()) }
        return SkinColor(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: parts == 4 ? bytes[3] : 255)
    }

    public func content(of value: SkinColor) -> SkinValue.Content { .color(value) }

    @inlinable public func value(of content: SkinValue.Content) -> SkinColor? {
        if case .color(let color) = content { color } else { value(ofText: content.text) }
    }

    public func text(of value: SkinColor) -> String {
        func digit(_ number: UInt8) -> UInt8 {
            number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
        }
        return String(unsafeUninitializedCapacity: 9) { text in
            text[0] = UInt8(ascii: "#")
            var count = 1
            func write(_ byte: UInt8) {
                (text[count], text[count + 1]) = (digit(byte >> 4), digit(byte & 15))
                count += 2
            }
            write(value.red)
            write(value.green)
            write(value.blue)
            if value.alpha != 255 { write(value.alpha) }
            return count
        }
    }

    public func value(ofText text: String) -> SkinColor? {
        var text = text
        return text.withUTF8 { bytes in
            let digits = bytes.dropFirst()
            guard bytes.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8 else { return nil }
            var all: UInt32 = 0
            for digit in digits {
                let value: UInt8
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
                default: return nil
                }
                all = all << 4 | UInt32(value)
            }
            if digits.count == 6 { all = all << 8 | 0xFF }
            return SkinColor(bits: all)
        }
    }

    public func css(_ value: SkinColor, in context: StyleContext) -> String? { text(of: value) }
}

extension ObjectType where Self == ColorType { public static var color: ColorType { ColorType() } }
