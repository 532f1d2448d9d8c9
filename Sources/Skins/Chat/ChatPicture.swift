import FoundationEssentials
import StoreImages
import StoreXML

/// A picture of a chat in a skin: an SVG that contains the style sheet and the images that it needs, and loads nothing.
///
/// It is a chat shown in the skin: a title bar, two messages and the field in which messages are written. A browser
/// that shows it in an `<img>` executes none of its scripts.
public struct ChatPicture: Sendable {
    /// The maximum size of all images in a picture, in bytes; images that would exceed it are left out.
    ///
    /// An image counts once for each reference, because each contains the whole image as a data URL.
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
        let addresses = Self.addresses(of: entities, in: skin)
        let style = WebStyleSheet(entities, vocabulary: vocabulary) { addresses[$0] ?? "data:," }
        svg = String(decoding: PackageResources.picture_svg, as: UTF8.self)
            .replacing("{style}", with: XMLEscaping.content(style.text))
    }

    /// Returns the data URLs of the images in some definitions of a skin.
    ///
    /// A file that can't be read, is no image, or would exceed the limit is left out.
    private static func addresses(of entities: [SkinEntity], in skin: ResolvedSkin) -> [SkinAsset: String] {
        let references = entities.flatMap(\.operations).flatMap(\.parameters)
            .compactMap { $0.value.value(as: .image) }
        var counts: [SkinAsset: Int] = [:]
        for asset in references { counts[asset, default: 0] += 1 }
        var (addresses, size) = ([SkinAsset: String](), 0)
        for asset in references {
            // Removed at the first reference, so that an asset is read once, even if it is left out.
            guard let count = counts.removeValue(forKey: asset),
                let bytes = try? skin.assets.bytes(of: asset, limit: (maximumImageSize - size) / count),
                let format = ImageFormat(head: bytes.prefix(ImageFormat.headLength))
            else { continue }
            size += bytes.count * count
            addresses[asset] = "data:\(format.mediaType);base64,\(Data(bytes).base64EncodedString())"
        }
        return addresses
    }
}
