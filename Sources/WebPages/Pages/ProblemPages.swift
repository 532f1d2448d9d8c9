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
    let warnings: [String]
    let product: String
    let permissions: [String]
    /// The name of the store that the product comes from; `nil` if it is not known.
    let store: String?
    let isUnsigned: Bool
    let hasSteps: Bool
    /// What else is installed or updated, such as packs that the product needs.
    let steps: [PlanStep]
    let action: String
    let fields: [PageField]
    let back: String

    /// Creates the page.
    ///
    /// The form grants all permissions that the page shows. With a plan, it does nothing that the page does not show.
    ///
    /// - Parameters:
    ///   - error: the error `consent.needed`, with the product and the permissions that it requests.
    ///   - plan: what the form will install and update; `nil` if it is not known.
    ///   - action: the path to which the form is sent.
    ///   - form: the fields of the form that the user sent.
    ///   - back: the path of the page from which the user comes.
    ///   - languages: the languages of the publishers' texts, the best first.
    public init(
        _ error: ErrorReport, plan: ChangePlan?, action: String, form: [String: String], back: String,
        languages: [String], _ texts: PageText
    ) {
        let requesting = error.requestingProduct ?? ""
        title = texts.messages.text("Permissions")
        navigation = NavigationLink.all(on: nil, texts)
        let steps = plan?.steps ?? []
        let own = steps.first { $0.productIdentifier == requesting }
        let names = Dictionary(steps.map { ($0.productIdentifier, $0.name) }) { first, _ in first }
        warnings = plan?.warnings.map(texts.translation) ?? []
        // An identifier is not cut: the user decides about exactly this product.
        product = own?.name.displayableName ?? requesting.displayable
        let requested = error.permissions + (own?.permissions ?? []).filter { !error.permissions.contains($0) }
        permissions = requested.map(texts.permission)
        store = own?.store?.displayableName
        isUnsigned = own?.signed == false
        self.steps = steps.filter { $0.productIdentifier != requesting }
            .map { PlanStep($0, names: names, languages: languages, texts) }
        hasSteps = !self.steps.isEmpty
        self.action = action
        self.back = back
        // Consent that the user gave before is asked for again, so that the form is complete by itself.
        let granted = (form["consent"] ?? "").split(separator: " ").map(String.init)
        let asked = PageField.consents(to: requesting, error.permissions)
        let shown = steps.flatMap { PageField.consents(to: $0.productIdentifier, $0.permissions) }
        var fields = form
        fields["consent"] = Set(granted + asked + shown).sorted().joined(separator: " ")
        if let plan { fields["agreed"] = PageField.words(plan.agreement.sorted()) }
        self.fields = fields.sorted { $0.key < $1.key }.map { PageField(name: $0.key, value: $0.value) }
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
