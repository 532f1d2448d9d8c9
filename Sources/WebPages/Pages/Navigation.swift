/// A link in the navigation that all pages have.
struct NavigationLink: Sendable {
    let name: String
    let href: String
    let isCurrent: Bool

    /// Returns the links of the navigation on one of the pages.
    ///
    /// - Parameter current: the name of the page; `nil` for a page that is not in the navigation.
    static func all(on current: String?) -> [NavigationLink] {
        [
            ("Store", "/store"), ("Library", "/library"), ("Stickers", "/stickers"), ("Skins", "/skins"),
            ("Chat", "/chat"), ("Settings", "/settings"),
        ]
        .map { NavigationLink(name: $0.0, href: $0.1, isCurrent: $0.0 == current) }
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
}
