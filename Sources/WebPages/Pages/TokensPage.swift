public import StoreModel

/// The page with the access tokens of programs, which only a browser that is logged in may see.
public struct TokensPage: Page {
    struct Token: Sendable {
        let name: String
        let path: String
        let scopes: String
        let created: String
    }

    /// The path of the page.
    public static let path = "/settings/tokens"

    public var template: String { "tokens" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let message: String?
    let hint: String?
    /// The secret of a token that was just created, with its name; `nil` without one.
    let created: PageField?
    let isEmpty: Bool
    let tokens: [Token]
    /// The name that the user entered, for the form that is shown again after an error.
    let enteredName: String
    let maximumNameLength = WebToken.maximumNameLength
    let mayInstall: Bool
    let maySet: Bool

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - created: the token that was just created, with its secret, which is shown this once.
    ///   - error: why no token was created, with texts in the language.
    ///   - form: the fields of the form that was sent.
    public init(
        _ tokens: [WebToken], created: (token: WebToken, secret: String)? = nil, error: ErrorReport? = nil,
        form: [String: String] = [:], _ texts: PageText
    ) {
        title = texts.messages.text("Access tokens")
        navigation = NavigationLink.all(on: .settings, texts)
        message = error.map { PageText.sentence($0.message) }
        hint = error?.hint.map(PageText.sentence)
        self.created = created.map { PageField(name: $0.token.name.displayable, value: $0.secret) }
        isEmpty = tokens.isEmpty
        self.tokens = tokens.map { token in
            Token(
                name: token.name.displayable, path: PathSegment.encode(token.id), scopes: texts.scopes(token.scopes),
                created: texts.time(token.createdAt))
        }
        let isRepeated = error != nil
        enteredName = isRepeated ? form["name"] ?? "" : ""
        mayInstall = isRepeated && form[Self.field(for: .install)] != nil
        maySet = isRepeated && form[Self.field(for: .settings)] != nil
    }

    /// Returns the scopes that a form selects; a token can always read.
    public static func scopes(in form: [String: String]) -> Set<WebScope> {
        Set([.read] + WebScope.allCases.filter { form[field(for: $0)] != nil })
    }

    private static func field(for scope: WebScope) -> String { "scope:" + scope.rawValue }
}
