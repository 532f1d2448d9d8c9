import StoreMessages
public import StoreModel

/// The page with the installed packs, the available updates and the latest operations.
public struct LibraryPage: Page {
    struct Pack: Sendable {
        let id: String
        let name: String
        let href: String?
        let kindName: String
        let version: String?
        let size: String
        let store: String?
        /// Whether the catalogue of the pack's store is not signed.
        let isUnsigned: Bool
        let isHeld: Bool
        /// The name of the field that selects the pack; `nil` for a pack that was placed by hand.
        let selection: String?
        /// The path of the page with the operations on the product.
        let operationsPath: String
        let state: String?
        let buttons: [ProductActions.Button]
        let download: ProductActions.Download?
        let failure: String?
    }

    /// The beginning of the names of the fields that select packs; the rest is the product identifier.
    public static let selectionPrefix = "select:"

    public var template: String { "library" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let summary: String
    let isEmpty: Bool
    let hasUpdates: Bool
    /// The text to show if there are no updates to choose; `nil` if there are some.
    let upToDate: String?
    /// The packs with newer versions: the name of the field that selects each, and the name that is shown.
    let updates: [PageField]
    let updatePath = UpdatePlanPage.path
    let diskPath = DiskUsePage.path
    let removalPath = ConfirmationPage.removalPath
    let holdPath = ConfirmationPage.holdPath
    let verificationPath = VerificationPage.path
    let hasUnneeded: Bool
    /// The packs that were installed for others, and that nothing needs any more, with their sizes.
    let unneeded: [PageField]
    let hasSelection: Bool
    let packs: [Pack]
    let hasHistory: Bool
    let history: [OperationRow]
    let historyPath = HistoryPage.path

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - unneeded: those of the packs that were installed for others, and that nothing needs any more.
    ///   - verifiable: the product identifiers of the packs that have a list of their files to be verified against.
    ///   - restorable: the product identifiers of the packs that can be rolled back.
    ///   - history: the latest operations, the newest first.
    public init(
        packs: [InstalledPack], unneeded: [InstalledPack], verifiable: Set<String>, restorable: Set<String>,
        history: [OperationRecord], downloads: [String: DownloadStatus], _ texts: PageText
    ) {
        title = NavigationLink.Target.library.name(texts)
        navigation = NavigationLink.all(on: .library, texts)
        isEmpty = packs.isEmpty
        summary =
            packs.isEmpty
            ? "" : texts.messages.list([texts.packs(packs.count), texts.size(packs.reduce(0) { $0 + $1.size })])
        updates = packs.filter { $0.state.contains(.updatable) && !$0.held }.map { pack in
            PageField(
                name: UpdatePlanPage.field(selecting: pack.productIdentifier).name, value: pack.name.displayableName)
        }
        hasUpdates = !updates.isEmpty
        upToDate =
            if hasUpdates {
                nil
            } else {
                packs.contains { $0.state.contains(.updatable) }
                    ? texts.messages.text("All other packs are up to date.")
                    : texts.messages.text("All packs are up to date.")
            }
        self.unneeded = unneeded.map { PageField(name: $0.name.displayableName, value: texts.size($0.size)) }
        hasUnneeded = !unneeded.isEmpty
        hasSelection = packs.contains { $0.store != nil }
        self.packs = packs.map { pack in
            let name = pack.name.displayableName
            let actions = ProductActions(
                pack.productIdentifier, name: name, store: pack.store, kind: pack.kind, states: pack.state,
                isHeld: pack.held, isVerifiable: verifiable.contains(pack.productIdentifier),
                isRestorable: restorable.contains(pack.productIdentifier), download: downloads[pack.productIdentifier],
                texts)
            return Pack(
                id: pack.productIdentifier, name: name,
                href: pack.store.map {
                    "/store/\(PathSegment.encode($0))/\(PathSegment.encode(pack.productIdentifier))"
                }, kindName: texts.kind(pack.kind), version: pack.version?.text.displayableName,
                size: texts.size(pack.size), store: pack.store, isUnsigned: pack.signed == false, isHeld: pack.held,
                selection: pack.store.map { _ in Self.selectionPrefix + pack.productIdentifier },
                operationsPath: HistoryPage.path(of: pack.productIdentifier),
                state: actions.state,
                buttons: actions.buttons, download: actions.download,
                failure: actions.failure)
        }
        self.history = history.map { OperationRow($0, texts) }
        hasHistory = !history.isEmpty
    }
}
