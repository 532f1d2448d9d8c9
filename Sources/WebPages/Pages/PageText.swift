import FoundationEssentials
import StoreModel

/// A namespace of functions that write values for display on pages.
enum PageText {
    /// Returns the name of a kind of content, for a product of it.
    static func kind(_ kind: ProductKind) -> String {
        switch kind {
        case .sticker: "Sticker pack"
        case .skin: "Skin"
        case .emoji: "Emoji set"
        case .plugin: "Plugin"
        default: kind.rawValue.displayable
        }
    }

    /// Returns a price as it is shown: `Free`, or the amount.
    static func price(_ price: Price) -> String { price.isFree ? "Free" : price.description.displayable }

    /// Returns a number of bytes rounded to a unit that is easy to read.
    static func size(_ bytes: Int) -> String { ErrorFormatter.rounded(bytes) }

    /// Returns a number with its noun in the singular or plural.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns a message, which is written to follow `error:` and the like, as a sentence of its own.
    static func sentence(_ message: String) -> String {
        let text = message.displayable
        let isEnded = text.last.map(".!?".contains) ?? true
        return text.prefix(1).uppercased() + text.dropFirst() + (isEnded ? "" : ".")
    }

    /// Returns a time in UTC to the minute.
    static func time(_ date: Date) -> String {
        let text = date.formatted(.iso8601)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }

    /// Returns what a permission lets a plugin do.
    static func permission(_ permission: Permission) -> String { permission.meaning.displayable }

    /// Returns what a running download does, with its progress.
    static func progress(of download: DownloadStatus) -> String {
        if let reason = download.reason { return reason.displayable }
        var parts = [(download.activity?.rawValue ?? download.state.rawValue)]
        if let expected = download.bytesExpected {
            parts.append("\(size(download.bytesReceived)) of \(size(expected))")
        }
        if let rate = download.rate { parts.append("\(size(rate))/s") }
        if let seconds = download.secondsLeft { parts.append("\(seconds) s left") }
        return parts.joined(separator: " · ")
    }
}
