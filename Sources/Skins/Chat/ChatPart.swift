/// One part of a chat's window that a skin can speak of.
public struct ChatPart: Sendable, Hashable, Codable {
    /// What a front-end tags the object with, and a skin's XML has as `id`.
    public let identifier: String
    /// The element's name in a skin's XML: `uiview`, `uilabel`, …
    public let component: String
    /// What it is, for a designer.
    public let summary: String
    /// In which state the part is called so, where it is called otherwise in other states; a product's state is the word
    /// of the state table (`In Use`).
    public let state: String?
    /// The parts that it stands in, one of them at a time; of these comes the background behind it, where it has none
    /// itself. Empty for what stands in the bare window.
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

/// The parts of a chat: the identifiers that front-ends tag their objects with and designers write skins for.
///
/// A skin may leave any of them out, and name others that only one front-end has.
public enum ChatParts {
    /// By area, in the order in which people meet them; a part comes after those that it stands in.
    public static let areas: [Area] = [
        window, conversations, header, messages, incoming, outgoing, input, stickerTray, store, settings, dialog,
    ]

    /// All parts, in the order of ``areas``.
    public static let all: [ChatPart] = areas.flatMap(\.parts)

    /// The part of an identifier; `nil` where the catalogue has none.
    public static subscript(identifier: String) -> ChatPart? { byIdentifier[identifier] }

    private static let byIdentifier = Dictionary(
        all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

    /// Parts that are seen together.
    public struct Area: Sendable, Hashable, Codable {
        public let name: String
        public let parts: [ChatPart]

        init(_ name: String, _ parts: [ChatPart]) {
            self.name = name
            self.parts = parts
        }
    }
}
