/// A file that pages refer to, such as their style sheet, which is part of the program.
public struct PageAsset: Sendable {
    /// The media type of the file.
    public let mediaType: String
    /// The content of the file.
    public let bytes: [UInt8]

    /// All files that pages refer to, by the last part of their path, `/assets/NAME`.
    public static let all: [String: PageAsset] = [
        "pages.css": PageAsset(mediaType: "text/css; charset=utf-8", bytes: PackageResources.pages_css),
        "live.js": PageAsset(mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.live_js),
        "chat.css": PageAsset(mediaType: "text/css; charset=utf-8", bytes: PackageResources.chat_css),
        "chat.js": PageAsset(mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.chat_js),
        "bubbles.js": PageAsset(mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.bubbles_js),
        "skin.js": PageAsset(mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.skin_js),
        "icon.svg": PageAsset(mediaType: "image/svg+xml", bytes: PackageResources.icon_svg),
        "app.webmanifest": PageAsset(
            mediaType: "application/manifest+json", bytes: PackageResources.app_webmanifest),
    ]
}
