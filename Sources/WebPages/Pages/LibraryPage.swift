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
        let isHeld: Bool
        let state: String?
        let buttons: [ProductActions.Button]
        let download: ProductActions.Download?
        let failure: String?
    }

    struct Operation: Sendable {
        let time: String
        let action: String
        let product: String
        let result: String
    }

    public var template: String { "library" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let summary: String
    let isEmpty: Bool
    let hasUpdates: Bool
    /// The packs with newer versions: the name of the field that selects each, and the name that is shown.
    let updates: [PageField]
    let updatePath = UpdatePlanPage.path
    let packs: [Pack]
    let hasHistory: Bool
    let history: [Operation]

    /// Creates the page.
    ///
    /// - Parameter history: the latest operations, the newest first.
    public init(
        packs: [InstalledPack], history: [OperationRecord], downloads: [String: DownloadStatus],
        _ texts: PageText
    ) {
        title = NavigationLink.Target.library.name(texts)
        navigation = NavigationLink.all(on: .library, texts)
        isEmpty = packs.isEmpty
        summary =
            packs.isEmpty
            ? "" : texts.messages.list([texts.packs(packs.count), texts.size(packs.reduce(0) { $0 + $1.size })])
        updates = packs.filter { $0.state.contains(.updatable) && !$0.held }.map { pack in
            PageField(name: UpdatePlanPage.field(selecting: pack.productIdentifier).name, value: pack.name.displayable)
        }
        hasUpdates = !updates.isEmpty
        self.packs = packs.map { pack in
            let name = pack.name.displayable
            let actions = ProductActions(
                pack.productIdentifier, name: name, store: pack.store, kind: pack.kind, states: pack.state,
                isHeld: pack.held, download: downloads[pack.productIdentifier], texts)
            return Pack(
                id: pack.productIdentifier, name: name,
                href: pack.store.map {
                    "/store/\(PathSegment.encode($0))/\(PathSegment.encode(pack.productIdentifier))"
                }, kindName: texts.kind(pack.kind), version: pack.version?.text.displayable,
                size: texts.size(pack.size), store: pack.store, isHeld: pack.held, state: actions.state,
                buttons: actions.buttons, download: actions.download,
                failure: actions.failure)
        }
        self.history = history.map { record in
            Operation(
                time: texts.time(record.startedAt), action: texts.action(record.action),
                product: record.productIdentifier.displayable,
                result: record.error.map(texts.sentences) ?? texts.end(record.end))
        }
        hasHistory = !history.isEmpty
    }
}
