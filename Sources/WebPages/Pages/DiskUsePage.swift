public import StoreModel

/// The page that shows how much space the packs take, and what is kept besides them.
public struct DiskUsePage: Page {
    /// The path of the page.
    public static let path = "/library/disk"

    public var template: String { "disk" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let parts: [PageField]
    let total: String
    let free: String?

    /// Creates the page.
    public init(_ use: DiskUse, _ texts: PageText) {
        let messages = texts.messages
        title = messages.text("Disk use")
        navigation = NavigationLink.all(on: .library, texts)
        var amounts = [
            (messages.text("Installed packs"), use.packs),
            (messages.text("Previous versions, to which packs can be rolled back"), use.previousVersions),
            (messages.text("Downloaded archives, kept so that they need not be fetched again"), use.archives),
            (messages.text("Pictures of products, thumbnails, and compiled skins"), use.pictures),
            (messages.text("Catalogues of the stores"), use.catalogues),
            (messages.text("Database with the history"), use.database), (messages.text("Other"), use.other),
        ]
        if use.trash > 0 { amounts.append((messages.text("Removed packs that are being deleted"), use.trash)) }
        parts = amounts.map { PageField(name: $0, value: texts.size($1)) }
        total = texts.size(use.total)
        free = use.freeSpace.map(texts.size)
    }
}
