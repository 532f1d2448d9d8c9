/// A part of a chat window, such as the input field, that a skin can style.
public struct ChatPart: Sendable, Hashable, Codable {
    /// The identifier that a front-end gives to the object that shows the part, and the `id` in a skin's XML.
    public let identifier: String
    /// The component type of the part, which is the element's name in a skin's XML, such as `uilabel`.
    public let component: String
    /// A description of the part of the chat window, for designers of skins.
    public let summary: String
    /// The state, such as `selected`, in which the part has this identifier; `nil` if it has only one identifier.
    ///
    /// The state of a product is spelled as in `ProductState` (`In Use`).
    public let state: String?
    /// The identifiers of the parts of the chat window that may contain this part; empty at the top level.
    ///
    /// If the part has no background of its own, that of its container is visible.
    public let containers: [String]

    init(
        _ identifier: String, _ component: String, _ summary: String, in containers: String..., state: String? = nil
    ) {
        self.identifier = identifier
        self.component = component
        self.summary = summary
        self.state = state
        self.containers = containers
    }
}

/// The catalogue of the parts of a chat window: the identifiers by which front-ends and skins name them.
///
/// A skin need not define all of them, and may define additional identifiers of a particular front-end.
public enum ChatParts {
    /// The parts of a chat window grouped by area; a part follows the parts that contain it.
    public static let areas: [Area] = [
        window, conversations, header, messages, incoming, outgoing, input, stickerTray, store, settings, dialog,
    ]

    /// All parts of a chat window, in the order of ``areas``.
    public static let all: [ChatPart] = areas.flatMap(\.parts)

    /// The part of a chat window with this identifier; `nil` if the catalogue has none.
    public static subscript(identifier: String) -> ChatPart? { byIdentifier[identifier] }

    private static let byIdentifier = Dictionary(
        all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

    /// A group of parts that appear together in a chat window, such as the header.
    public struct Area: Sendable, Hashable, Codable {
        public let name: String
        public let parts: [ChatPart]

        init(_ name: String, _ parts: [ChatPart]) {
            self.name = name
            self.parts = parts
        }
    }
}
