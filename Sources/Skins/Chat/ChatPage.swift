/// A page that shows every part of a chat (``ChatParts``) in the skin in use, and follows each change of it.
public enum ChatPage {
    /// The page: one document, with its own layout and script.
    ///
    /// - Parameters:
    ///   - styleSheet: the address of the skin's style sheet (``WebStyleSheet``), relative to the page. It is loaded
    ///     again, with a query, when a change brings other rules, and when the page was away from the events.
    ///   - events: the address of the server-sent events. Of those of type `skin`, the member `change` is a `SkinDifference`;
    ///     where there is none, the style sheet is loaded again.
    public static func html(styleSheet: String = "skin.css", events: String = "../events") -> String {
        String(decoding: PackageResources.chat_html, as: UTF8.self)
            .replacing("{style-sheet}", with: attribute(styleSheet))
            .replacing("{events}", with: attribute(events))
    }

    private static func attribute(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}
