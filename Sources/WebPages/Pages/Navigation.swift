import StoreMessages
import StoreModel

/// A link in the navigation that all pages have.
struct NavigationLink: Sendable {
    /// A page of the navigation, with its path.
    enum Target: String, CaseIterable {
        case store = "/store"
        case library = "/library"
        case stickers = "/stickers"
        case skins = "/skins"
        case chat = "/chat"
        case settings = "/settings"

        /// Returns the name of the page, which is also its title.
        func name(_ texts: PageText) -> String {
            switch self {
            case .store: texts.messages.text("Store")
            case .library: texts.messages.text("Library")
            case .stickers: texts.messages.text("Stickers")
            case .skins: texts.messages.text("Skins")
            case .chat: texts.messages.text("Chat")
            case .settings: texts.messages.text("Settings")
            }
        }
    }

    let name: String
    let href: String
    let isCurrent: Bool

    /// Returns the links of the navigation on one of the pages.
    ///
    /// - Parameter current: the page; `nil` for a page that is not in the navigation.
    static func all(on current: Target?, _ texts: PageText) -> [NavigationLink] {
        Target.allCases.map { NavigationLink(name: $0.name(texts), href: $0.rawValue, isCurrent: $0 == current) }
    }
}

/// An element of a list of choices in a form.
struct Choice: Sendable {
    let value: String
    let name: String
    let isChosen: Bool
}

/// A name and a value, for hidden fields of forms and for lists of facts.
public struct PageField: Sendable {
    /// The name of the field.
    public let name: String
    /// The value of the field.
    public let value: String

    /// Creates a field with its name and value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Returns the value of a field with several words, which are separated by spaces; each may have spaces itself.
    public static func words(_ words: [String]) -> String {
        words.map(PathSegment.encode).joined(separator: " ")
    }

    /// Returns the words of a field with the permissions that the user grants to a product, each `PRODUCT=PERMISSION`.
    static func consents(to productIdentifier: String, _ permissions: [Permission]) -> [String] {
        permissions.map { "\(PathSegment.encode(productIdentifier))=\($0.rawValue)" }
    }
}
