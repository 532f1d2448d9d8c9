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
        public init(key: String, value: String, summary: String, origin: String?, needsRestart: Bool) {
            self.key = key
            self.value = value
            self.summary = summary
            self.origin = origin.map { "Set in \($0)." } ?? "This is the default."
            isSet = origin != nil
            self.needsRestart = needsRestart
        }
    }

    struct Store: Sendable {
        let name: String
        let path: String
        let address: String
        let products: String
        let isUnsigned: Bool
        let error: String?
    }

    public var template: String { "settings" }
    let title = "Settings"
    let navigation = NavigationLink.all(on: "Settings")
    let warnings: [String]
    let hasNoStores: Bool
    let stores: [Store]
    let settings: [Setting]

    /// Creates the page.
    public init(stores: [StoreSummary], settings: [Setting], warnings: [String]) {
        self.warnings = warnings.map(\.displayable)
        hasNoStores = stores.isEmpty
        self.stores = stores.map { store in
            Store(
                name: store.name, path: PathSegment.encode(store.name), address: store.url.absoluteString.displayable,
                products: PageText.count(store.products, "product"), isUnsigned: store.unsigned,
                error: store.error?.message.displayable)
        }
        self.settings = settings
    }
}
