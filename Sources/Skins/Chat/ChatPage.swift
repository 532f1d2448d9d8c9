/// A namespace for an HTML page that shows every part of a chat window (``ChatParts``) in a skin.
public enum ChatPage {
    /// Returns the HTML document of the page that shows a skin on every part of a chat window.
    ///
    /// - Parameters:
    ///   - styleSheet: the URL of the skin's style sheet (``WebStyleSheet``), relative to the page. The page loads the
    ///     style sheet again if a change affects rules, and after a gap in the events.
    ///   - events: the URL of the server-sent events. The member `change` of events of type `skin` is a
    ///     `SkinDifference`; if the member is missing, the page loads the style sheet again. `nil` for a page that does not
    ///     follow the skin in use.
    public static func html(styleSheet: String = "skin.css", events: String? = "../events") -> String {
        String(decoding: PackageResources.chat_html, as: UTF8.self)
            .replacing("{style-sheet}", with: attribute(styleSheet))
            .replacing("{events}", with: attribute(events ?? ""))
    }

    private static func attribute(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}
