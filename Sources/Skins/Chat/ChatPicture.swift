import FoundationEssentials
import StoreImages

/// A picture of a chat in a skin: an SVG that contains the style sheet and the images that it needs, and loads nothing.
///
/// It shows what the skin makes of a title bar, of two messages and of the field in which messages are written. A browser
/// that shows it in an `<img>` runs no code of it.
public struct ChatPicture: Sendable {
    /// The maximum size of all images in a picture, in bytes; further ones, which may be large, are left out.
    static let maximumImageSize = 1 << 20

    /// The identifiers of the parts of a chat window (``ChatParts``) in the picture.
    static let parts = [
        "bubble_in_text", "bubble_in_text_body", "bubble_in_time", "bubble_out_status_read", "bubble_out_text",
        "bubble_out_text_body", "bubble_out_time", "button_input_attach", "button_input_send", "button_input_sticker",
        "chat_window", "header_avatar", "header_bar", "input_bar", "input_field", "message_area",
    ]

    /// The text of the SVG.
    public let svg: String

    /// Creates the picture of a chat in a skin; blocks while the skin's images are read.
    ///
    /// - Parameter vocabulary: the vocabulary with which the skin was resolved.
    public init(_ skin: ResolvedSkin, vocabulary: SkinVocabulary = .standard) {
        let entities = Self.parts.compactMap { skin[$0] }
        var (addresses, size) = ([SkinAsset: String](), 0)
        for asset in entities.flatMap(\.operations).flatMap(\.parameters).compactMap({ $0.value.value(as: .image) })
        where addresses[asset] == nil {
            guard let bytes = try? skin.bytes(of: asset), size + bytes.count <= Self.maximumImageSize,
                let format = ImageFormat(head: bytes.prefix(ImageFormat.headLength))
            else { continue }
            size += bytes.count
            addresses[asset] = "data:\(format.mediaType);base64,\(Data(bytes).base64EncodedString())"
        }
        let style = WebStyleSheet(entities, vocabulary: vocabulary) { [addresses] in addresses[$0] ?? "data:," }
        svg = String(decoding: PackageResources.picture_svg, as: UTF8.self)
            .replacing("{style}", with: Self.xml(style.text))
    }

    /// Returns a text as the content of an XML element; a character that XML can't contain becomes U+FFFD.
    private static func xml(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
                escaped.unicodeScalars.append(scalar)
            default: escaped += "\u{FFFD}"
            }
        }
        return escaped
    }
}
