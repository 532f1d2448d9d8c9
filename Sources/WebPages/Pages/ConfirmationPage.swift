public import StoreModel

/// The page that asks before something is changed: what would be done, and a form that does it.
public struct ConfirmationPage: Page {
    public var template: String { "confirmation" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    /// The products that are left out, with the reasons.
    let failures: [PageField]
    /// What the user has to consider before agreeing; `nil` for a question without danger.
    let caution: String?
    let texts: [String]
    /// The fingerprint that the user has to compare; `nil` for other questions.
    let fingerprint: String?
    let hasItems: Bool
    /// What is changed, with details.
    let items: [PageField]
    let hasFacts: Bool
    let facts: [PageField]
    /// The form that does what the page asks about; `nil` if there is nothing to do.
    let form: Form?
    let back: String

    /// A form that only confirms: all of its fields are hidden.
    struct Form: Sendable {
        let action: String
        let fields: [PageField]
        let label: String
    }

    private init(
        _ title: String, on current: NavigationLink.Target, warnings: [String] = [], failures: [PageField] = [],
        caution: String? = nil, texts paragraphs: [String] = [], fingerprint: String? = nil, items: [PageField] = [],
        facts: [PageField] = [], form: Form?, back: String, _ texts: PageText
    ) {
        self.title = title
        navigation = NavigationLink.all(on: current, texts)
        self.warnings = warnings
        self.failures = failures
        self.caution = caution
        self.texts = paragraphs
        self.fingerprint = fingerprint
        hasItems = !items.isEmpty
        self.items = items
        hasFacts = !facts.isEmpty
        self.facts = facts
        self.form = form
        self.back = back
    }

    // MARK: Stores

    /// Creates the page that asks whether to trust the root that the server of a signed store has.
    ///
    /// - Parameter fingerprint: the fingerprint of the root.
    public init(trusting fingerprint: String, of store: StoreForm, _ texts: PageText) {
        let messages = texts.messages
        self.init(
            messages.text("Trust this store?"), on: .settings,
            texts: [
                messages.text(
                    "The store is signed. Compare the fingerprint of the root on its server with the one that the publisher states elsewhere:"
                )
            ],
            fingerprint: RootFingerprintText.grouped(fingerprint), facts: Self.facts(store, texts),
            form: Form(
                action: StoreForm.action,
                fields: store.hiddenFields + [PageField(name: "fingerprint", value: fingerprint)],
                label: messages.text("Trust the root and add the store")),
            back: StoreForm.path, texts)
    }

    /// Creates the page that asks whether to add a store that is not signed.
    public init(addingUnsigned store: StoreForm, _ texts: PageText) {
        let messages = texts.messages
        self.init(
            messages.text("Add an unsigned store?"), on: .settings,
            caution: messages.text(
                "The store is not signed. Anyone who controls its server, or the connection to it, decides what is installed from it on this computer."
            ),
            texts: [messages.text("Add it only if you trust the server at this address.")],
            facts: Self.facts(store, texts),
            form: Form(
                action: StoreForm.action,
                fields: store.hiddenFields + [PageField(name: StoreForm.unsigned, value: "true")],
                label: messages.text("Add the store without signatures")),
            back: StoreForm.path, texts)
    }

    private static func facts(_ store: StoreForm, _ texts: PageText) -> [PageField] {
        [
            PageField(name: texts.messages.text("Name"), value: store.storeName.displayable),
            PageField(name: texts.messages.text("Address"), value: store.address.displayable),
        ]
    }

    // MARK: Access tokens

    /// Creates the page that asks whether to revoke an access token.
    public init(revoking token: WebToken, _ texts: PageText) {
        let messages = texts.messages
        self.init(
            messages.text("Revoke the access token?"), on: .settings,
            texts: [messages.text("Programs that use it can't use the store any more.")],
            facts: [
                PageField(name: messages.text("Name"), value: token.name.displayable),
                PageField(name: messages.text("Permits"), value: texts.scopes(token.scopes)),
                PageField(name: messages.text("Created"), value: texts.time(token.createdAt)),
            ],
            form: Form(
                action: "/actions/tokens/\(PathSegment.encode(token.id))/revoke", fields: [],
                label: messages.text("Revoke")),
            back: TokensPage.path, texts)
    }

    // MARK: Removals

    /// The path of the page that asks whether to remove packs.
    public static let removalPath = "/removals"

    /// Creates the page that shows what a removal of packs would do, and asks whether to do it.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs to remove.
    ///   - names: the display names of installed packs by their product identifiers.
    ///   - back: the path of the page from which the user comes.
    public init(
        removing identifiers: [String], _ plan: ChangePlan, names: [String: String], back: String, _ texts: PageText
    ) {
        let messages = texts.messages
        func name(_ identifier: String) -> String { (names[identifier] ?? identifier).displayableName }
        var paragraphs: [String] = []
        if identifiers.isEmpty { paragraphs.append(messages.text("No pack is selected.")) }
        if !plan.unneeded.isEmpty {
            paragraphs.append(
                messages.text(
                    "Afterwards, nothing needs these packs any more; they stay: {names}",
                    ["names": messages.list(plan.unneeded.map(name))]))
        }
        self.init(
            messages.text("Remove packs"), on: .library, warnings: plan.warnings.map(texts.translation),
            failures: plan.failures.map {
                PageField(name: name($0.productIdentifier), value: texts.sentences($0.error))
            }, texts: paragraphs,
            items: plan.steps.map { step in
                let details = [
                    texts.kind(step.kind), step.installed?.text.displayableName, step.diskSize.map(texts.size),
                ]
                return PageField(
                    name: name(step.productIdentifier), value: details.compactMap(\.self).joined(separator: " · "))
            },
            facts: plan.steps.isEmpty
                ? []
                : plan.diskSize.map { [PageField(name: messages.text("Size on disk"), value: texts.size($0))] } ?? [],
            form: plan.steps.isEmpty
                ? nil
                : Form(
                    action: "/actions/removals",
                    // The request removes nothing that the page does not show.
                    fields: [
                        PageField(name: "packs", value: PageField.words(plan.steps.map(\.productIdentifier))),
                        PageField(name: "agreed", value: PageField.words(plan.agreement.sorted())),
                    ], label: messages.text("Remove")),
            back: back, texts)
    }

    // MARK: Holds

    /// The path to which the form is sent that holds or releases several packs.
    public static let holdPath = "/actions/holds"

    /// Creates the page that says which of several packs could not be held or released, and why.
    ///
    /// - Parameters:
    ///   - isHeld: whether the packs were to be held; otherwise, to be released.
    ///   - changed: the names of the packs that were changed.
    ///   - failures: the names of the other packs, with the reasons, with texts in the language.
    ///   - back: the path of the page from which the user comes.
    public init(
        holding isHeld: Bool, changed: [String], failures: [(name: String, error: ErrorReport)], back: String,
        _ texts: PageText
    ) {
        let messages = texts.messages
        var paragraphs: [String] = []
        if changed.isEmpty, failures.isEmpty { paragraphs.append(messages.text("No pack is selected.")) }
        if !changed.isEmpty {
            let names = ["names": messages.list(changed.map(\.displayableName))]
            paragraphs.append(
                isHeld
                    ? messages.text("These packs are held now: {names}", names)
                    : messages.text("These packs are released now: {names}", names))
        }
        self.init(
            isHeld ? messages.text("Hold packs") : messages.text("Release packs"), on: .library,
            failures: failures.map { PageField(name: $0.name.displayableName, value: texts.sentences($0.error)) },
            texts: paragraphs, form: nil, back: back, texts)
    }
}
