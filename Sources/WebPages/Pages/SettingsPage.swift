import StoreMessages
public import StoreModel

/// The page with the stores in use and all settings.
public struct SettingsPage: Page {
    /// A setting on the page.
    public struct Setting: Sendable {
        let key: String
        let value: String
        let summary: String
        let origin: String
        let isSet: Bool
        let needsRestart: Bool

        /// Creates the description of a setting.
        ///
        /// - Parameter origin: where the value comes from; `nil` if it is the default.
        public init(key: String, value: String, summary: String, origin: String?, needsRestart: Bool, _ texts: PageText)
        {
            self.key = key
            self.value = value
            // One of the texts of the settings.
            self.summary = texts.messages.text(summary)
            self.origin =
                origin.map { texts.messages.text("Set in {origin}.", ["origin": $0]) }
                ?? texts.messages.text("This is the default.")
            isSet = origin != nil
            self.needsRestart = needsRestart
        }
    }

    struct Store: Sendable {
        let name: String
        let path: String
        let href: String
        let address: String
        let products: String
        let isUnsigned: Bool
        /// When a signed store was last verified; `nil` for an unsigned one.
        let verification: String?
        let error: String?
    }

    public var template: String { "settings" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    let addStorePath = StoreForm.path
    let tokensPath = TokensPage.path
    let hasNoStores: Bool
    let stores: [Store]
    let settings: [Setting]

    /// Creates the page.
    public init(stores: [StoreSummary], settings: [Setting], warnings: [String], _ texts: PageText) {
        title = NavigationLink.Target.settings.name(texts)
        navigation = NavigationLink.all(on: .settings, texts)
        self.warnings = warnings.map(texts.translation)
        hasNoStores = stores.isEmpty
        self.stores = stores.map { store in
            Store(
                name: store.name, path: PathSegment.encode(store.name), href: StoreTrustPage.path(of: store.name),
                address: store.url.absoluteString.displayable,
                products: texts.products(store.products), isUnsigned: store.unsigned,
                verification: store.signature.map { signature in
                    signature.verifiedAt.map { texts.messages.text("verified {time}", ["time": texts.time($0)]) }
                        ?? texts.messages.text("never verified")
                },
                error: store.error.map(texts.sentences))
        }
        self.settings = settings
    }
}
