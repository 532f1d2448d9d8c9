import StoreMessages
public import StoreModel

/// The page on which two people try out skins, emoji and stickers in a chat that does not leave the browser.
public struct ConversationPage: Page {
    /// One of the two people of the conversation.
    public enum Person: String, Sendable {
        /// The person of the first window.
        case a
        /// The person of the second window.
        case b

        var name: String { self == .a ? "Ada" : "Bo" }
        var other: Person { self == .a ? .b : .a }
    }

    /// A skin that the user tries, whichever is in use.
    public struct Trial: Sendable {
        let id: String
        let name: String
        let isInUse: Bool

        /// Creates the description of a skin that the user tries.
        public init(id: String, name: String, isInUse: Bool) {
            self.id = id
            self.name = name.displayableName
            self.isInUse = isInUse
        }
    }

    public var template: String { "chat" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let nameA = Person.a.name
    let nameB = Person.b.name
    let `as`: String
    let me: String
    let other: String
    let otherAs: String
    /// The address of the other person's window.
    let otherWindow: String
    let skin: String?
    let trial: Trial?
    /// The address of the style sheet of the skin that draws the chat.
    let styleSheet: String
    let emojiSet: String?
    let packCount: String
    let isEmpty: Bool
    let packs: [StickerSection]

    /// Creates the page of one person's window.
    ///
    /// - Parameters:
    ///   - packs: the sticker packs in the order in which the tray shows them.
    ///   - skin: the name of the skin in use; `nil` if there is none.
    ///   - trial: the skin that draws the chat; `nil` for the one in use.
    ///   - emojiSet: the identifier of the emoji set in use; `nil` if there is none.
    public init(
        _ person: Person, packs: [StickerPack], skin: String?, trial: Trial? = nil, emojiSet: String?,
        languages: [String], _ texts: PageText
    ) {
        title = texts.messages.text("Chat of {person}", ["person": person.name])
        navigation = NavigationLink.all(on: .chat, texts)
        self.as = person.rawValue
        me = person.name
        other = person.other.name
        otherAs = person.other.rawValue
        let path = trial.map { PathSegment.encode($0.id) }
        otherWindow = "/chat?as=\(person.other.rawValue)" + (path.map { "&skin=" + $0 } ?? "")
        self.trial = trial
        styleSheet = path.map { "/v1/skins/\($0)/css" } ?? "/v1/skin/css"
        self.skin = skin?.displayableName
        self.emojiSet = emojiSet?.displayableName
        packCount = texts.packs(packs.count)
        isEmpty = packs.isEmpty
        self.packs = zip(packs, StickerSection.anchors(of: packs)).map { pack, anchor in
            StickerSection(pack, anchor: anchor, languages: languages, texts)
        }
    }
}
