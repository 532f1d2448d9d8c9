import Foundation
import StoreSkins

/// Contrast as defined by the Web Content Accessibility Guidelines 2.1 ("contrast ratio", "relative luminance").
enum Contrast {
    static func ratio(_ one: SkinColor, _ other: SkinColor) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private static func luminance(_ color: SkinColor) -> Double {
        let parts = [color.red, color.green, color.blue].map { byte in
            let part = Double(byte) / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// Returns the visible colour of a translucent one over an opaque one.
    static func over(_ below: SkinColor, _ color: SkinColor) -> SkinColor {
        let share = Double(color.alpha) / 255
        func mixed(_ above: UInt8, _ under: UInt8) -> UInt8 {
            UInt8((Double(above) * share + Double(under) * (1 - share)).rounded())
        }
        return SkinColor(
            red: mixed(color.red, below.red), green: mixed(color.green, below.green),
            blue: mixed(color.blue, below.blue))
    }

    /// Text of at least 18 points, or 14 in bold, counts as large; a point is 4/3 pixels.
    static func needed(for font: SkinFont?) -> Double {
        guard let font else { return 4.5 }
        return font.size >= 24 || (font.size >= 18.66 && font.weight >= 700) ? 3 : 4.5
    }
}
