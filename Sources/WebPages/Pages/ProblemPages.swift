import StoreMessages
public import StoreModel

/// The page that says why an action failed.
public struct ErrorPage: Page {
    public var template: String { "error" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let heading: String
    let message: String
    let hint: String?
    let code: String
    let back: String?

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - error: the error, with texts in the language.
    ///   - back: the path of the page from which the user comes.
    public init(_ error: ErrorReport, back: String?, _ texts: PageText) {
        title = texts.messages.text("Error")
        navigation = NavigationLink.all(on: nil, texts)
        heading = texts.messages.text("That did not work")
        message = PageText.sentence(error.message)
        hint = error.hint.map(PageText.sentence)
        code = error.code.rawValue
        self.back = back
    }
}

/// The page that asks for consent to the permissions of a plugin.
public struct ConsentPage: Page {
    public var template: String { "consent" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let product: String
    let permissions: [String]
    let action: String
    let fields: [PageField]
    let back: String

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - product: the identifier of the product that requests the permissions.
    ///   - action: the path to which the form is sent.
    ///   - fields: the fields of the form that the user sent, and the permissions to which the user consents.
    ///   - back: the path of the page from which the user comes.
    public init(
        product: String, permissions: [Permission], action: String, fields: [PageField], back: String,
        _ texts: PageText
    ) {
        title = texts.messages.text("Permissions")
        navigation = NavigationLink.all(on: nil, texts)
        self.product = product.displayable
        self.permissions = permissions.map(texts.permission)
        self.action = action
        self.fields = fields
        self.back = back
    }
}

/// The page that a browser sees that is not logged in.
public struct LoginPage: Page {
    public var template: String { "login" }
    let message: String
    let hint: String?
    /// Whether the page is refused for want of a session, which may begin in another tab.
    let canLogIn: Bool

    /// Creates the page with the reason why the browser is refused, with texts in the language.
    public init(_ error: ErrorReport) {
        canLogIn = [.webLogin, .webLink].contains(error.code)
        message = PageText.sentence(error.message)
        hint = error.hint.map(PageText.sentence)
    }
}
