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
    let skin: String?
    let emojiSet: String?
    let packCount: String
    let isEmpty: Bool
    let packs: [StickersPage.Pack]

    /// Creates the page of one person's window.
    ///
    /// - Parameters:
    ///   - packs: the sticker packs in the order in which the tray shows them.
    ///   - skin: the name of the skin in use; `nil` if there is none.
    ///   - emojiSet: the identifier of the emoji set in use; `nil` if there is none.
    public init(
        _ person: Person, packs: [StickerPack], skin: String?, emojiSet: String?, languages: [String],
        _ texts: PageText
    ) {
        title = texts.messages.text("Chat of {person}", ["person": person.name])
        navigation = NavigationLink.all(on: .chat, texts)
        self.as = person.rawValue
        me = person.name
        other = person.other.name
        otherAs = person.other.rawValue
        self.skin = skin?.displayable
        self.emojiSet = emojiSet?.displayable
        packCount = texts.packs(packs.count)
        isEmpty = packs.isEmpty
        self.packs = packs.map { StickersPage.Pack($0, languages: languages, texts) }
    }
}
