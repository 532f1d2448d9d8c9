import StoreCVPX

/// The conversion of YUV, which videos consist of, to RGB, for samples of 8 bits.
struct ColourMatrix {
    /// The number of fractional bits of the fixed-point factors.
    private static let bits: Int32 = 16

    /// Whether the planes are green, blue and red instead.
    private let isRGB: Bool
    /// The brightness of black.
    private let black: Int32
    /// The factors of brightness, and of the colour differences in each colour.
    private let brightness: Int32
    private let (redV, greenU, greenV, blueU): (Int32, Int32, Int32, Int32)

    /// Creates the conversion of a picture.
    ///
    /// - Parameters:
    ///   - space: the matrix that the picture states.
    ///   - stated: the number of the matrix in ITU-T H.273 that the file states, which counts if the picture states none.
    ///   - isFullRange: whether black is 0, instead of 16, and white 255, instead of 235.
    init(_ space: vpx_color_space_t, stated: Int?, isFullRange: Bool) {
        isRGB = space == VPX_CS_SRGB
        let (red, blue) = Self.weights(space, stated)
        let green = 1 - red - blue
        let (light, difference) = isFullRange ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
        func fixed(_ factor: Double) -> Int32 { Int32((factor * Double(1 << Self.bits)).rounded()) }
        black = isFullRange ? 0 : 16
        brightness = fixed(light)
        redV = fixed(2 * (1 - red) * difference)
        blueU = fixed(2 * (1 - blue) * difference)
        greenU = fixed(-2 * (1 - blue) * blue / green * difference)
        greenV = fixed(-2 * (1 - red) * red / green * difference)
    }

    /// Returns the parts that red and blue have in brightness.
    private static func weights(_ space: vpx_color_space_t, _ stated: Int?) -> (red: Double, blue: Double) {
        let (bt601, bt709) = ((0.299, 0.114), (0.2126, 0.0722))
        let (smpte240, bt2020) = ((0.212, 0.087), (0.2627, 0.0593))
        switch space {
        case VPX_CS_BT_601, VPX_CS_SMPTE_170: return bt601
        case VPX_CS_BT_709: return bt709
        case VPX_CS_SMPTE_240: return smpte240
        case VPX_CS_BT_2020: return bt2020
        default:
            switch stated {
            case 1: return bt709
            case 7: return smpte240
            case 9, 10: return bt2020
            // Encoders that state nothing use the one of small pictures.
            default: return bt601
            }
        }
    }

    /// Returns red, green and blue of a pixel.
    @inline(__always)
    func colours(_ y: Int32, _ u: Int32, _ v: Int32) -> (red: UInt8, green: UInt8, blue: UInt8) {
        if isRGB { return (UInt8(v), UInt8(y), UInt8(u)) }
        let light = (y &- black) &* brightness &+ 1 << (Self.bits - 1)
        let (blueDifference, redDifference) = (u &- 128, v &- 128)
        func byte(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(255, max(0, value >> Self.bits))) }
        return (
            byte(light &+ redV &* redDifference),
            byte(light &+ greenU &* blueDifference &+ greenV &* redDifference),
            byte(light &+ blueU &* blueDifference)
        )
    }
}
