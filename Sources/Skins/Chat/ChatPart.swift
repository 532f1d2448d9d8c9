/// A part of a chat window that a skin can style.
public struct ChatPart: Sendable, Hashable, Codable {
    /// The identifier that a front-end assigns to the object, and the `id` in a skin's XML.
    public let identifier: String
    /// The component type, which is the element's name in a skin's XML, such as `uilabel`.
    public let component: String
    /// A description of the part for designers of skins.
    public let summary: String
    /// The state in which the part has this identifier, if it has other identifiers in other states, else `nil`.
    ///
    /// The state of a product is spelled as in `ProductState` (`In Use`).
    public let state: String?
    /// The identifiers of the parts that may contain this one; empty at the top level.
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

/// The catalogue of the parts of a chat window: identifiers that front-ends and skins share.
///
/// A skin need not define all of them, and may define additional identifiers of a particular front-end.
public enum ChatParts {
    /// The parts grouped by area; a part follows the parts that contain it.
    public static let areas: [Area] = [
        window, conversations, header, messages, incoming, outgoing, input, stickerTray, store, settings, dialog,
    ]

    /// All parts, in the order of ``areas``.
    public static let all: [ChatPart] = areas.flatMap(\.parts)

    /// The part with an identifier; `nil` if the catalogue has none.
    public static subscript(identifier: String) -> ChatPart? { byIdentifier[identifier] }

    private static let byIdentifier = Dictionary(
        all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

    /// A group of parts that appear together in the chat window.
    public struct Area: Sendable, Hashable, Codable {
        public let name: String
        public let parts: [ChatPart]

        init(_ name: String, _ parts: [ChatPart]) {
            self.name = name
            self.parts = parts
        }
    }
}
