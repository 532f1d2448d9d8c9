public import StoreMessages
import StoreModel

/// A file that pages refer to, such as their style sheet, which is part of the program.
public struct PageAsset: Sendable {
    /// The media type of the file.
    public let mediaType: String
    /// The content of the file, with texts in English.
    private let bytes: [UInt8]
    /// Whether the file is the script of a service worker, which a browser uses for the pages at all paths.
    public let isServiceWorker: Bool

    private init(_ mediaType: String, _ bytes: [UInt8], isServiceWorker: Bool = false) {
        self.mediaType = mediaType
        self.bytes = bytes
        self.isServiceWorker = isServiceWorker
    }

    /// Whether the content depends on the language of the reader.
    public var isTranslated: Bool { [Self.script, Self.page, Self.manifest].contains(mediaType) }

    /// Whether the file is a page.
    public var isPage: Bool { mediaType.hasPrefix("text/html") }

    /// Returns the content of the file with its texts in a language.
    public func bytes(in language: Language) -> [UInt8] {
        if isServiceWorker { return Self.worker(in: language) }
        return switch mediaType {
        case Self.script: Array(TranslatedFile.script(bytes, in: language).utf8)
        case Self.page: Array(TranslatedFile.template(bytes, in: language).utf8)
        case Self.manifest: Array(TranslatedFile.manifest(bytes, in: language).utf8)
        default: bytes
        }
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let styleSheet = "text/css; charset=utf-8"
    private static let page = "text/html; charset=utf-8"
    private static let manifest = "application/manifest+json"

    /// The path at which scripts get a finished English text, the parameter `text`, in the language of the reader.
    public static let translationPath = "/assets/translation"

    /// All files that pages refer to, by the last part of their path, `/assets/NAME`.
    public static let all: [String: PageAsset] = [
        "pages.css": PageAsset(styleSheet, PackageResources.pages_css),
        "live.js": PageAsset(script, PackageResources.live_js),
        "chat.css": PageAsset(styleSheet, PackageResources.chat_css),
        "chat.js": PageAsset(script, PackageResources.chat_js),
        "bubbles.js": PageAsset(script, PackageResources.bubbles_js),
        "client.js": PageAsset(script, PackageResources.client_js),
        "embed.js": PageAsset(script, PackageResources.embed_js),
        "skin.js": PageAsset(script, PackageResources.skin_js),
        "stickers.js": PageAsset(script, PackageResources.stickers_js),
        "offline.html": PageAsset(page, PackageResources.offline_html),
        "return.js": PageAsset(script, PackageResources.return_js),
        "worker.js": PageAsset(script, PackageResources.worker_js, isServiceWorker: true),
        "icon.svg": PageAsset("image/svg+xml", PackageResources.icon_svg),
        "icon-192.png": PageAsset("image/png", PackageResources.icon_192_png),
        "icon-512.png": PageAsset("image/png", PackageResources.icon_512_png),
        "icon-maskable.png": PageAsset("image/png", PackageResources.icon_maskable_png),
        "app.webmanifest": PageAsset(manifest, PackageResources.app_webmanifest),
    ]

    /// Returns the service worker, with the hash of the files that it keeps: a browser installs one whose text differs.
    private static func worker(in language: Language) -> [UInt8] {
        let kept = ["offline.html", "return.js", "pages.css", "icon.svg"].flatMap { all[$0]?.bytes(in: language) ?? [] }
        let text = String(decoding: PackageResources.worker_js, as: UTF8.self)
        return Array(text.replacing("{version}", with: SHA256Digest(of: kept).hex).utf8)
    }
}
