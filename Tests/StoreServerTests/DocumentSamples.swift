import FoundationEssentials
import StoreAPI
import StoreModel

/// One document of each kind, with all the members that it can have.
enum DocumentSamples {
    static let documents: [(component: String, value: any Encodable & Sendable)] = [
        ("Status", status), ("Home", home), ("SettingList", SettingList(settings: [setting])), ("Setting", setting),
        ("Error", error), ("Problem", ProblemDocument(error, status: 422)),
        ("StoreList", StoreList(stores: [store])), ("Store", store),
        ("ProductList", ProductList(products: [listed], warnings: ["a"], next: "a")), ("ProductSummary", listed),
        (
            "ProductOverview",
            ProductDocument(store: "a", product: product, state: [.free], details: details, pack: pack)
        ),
        ("Product", product), ("Reference", reference), ("ProductDetails", details),
        ("PurchaseList", PurchaseList(purchases: [purchase])), ("Purchase", purchase),
        ("PackList", PackList(packs: [pack], next: "a")), ("Pack", pack),
        ("Verification", VerificationDocument(productIdentifier: "a", damages: [damage])), ("Damage", damage),
        ("UpdateList", UpdateList(updates: [update], warnings: ["a"], error: error)), ("Update", update),
        ("ResultList", OperationResultList(results: [result])), ("Result", result),
        ("StickerPackList", StickerPackList(packs: [stickers])), ("StickerPack", stickers), ("Sticker", sticker),
        ("DownloadList", DownloadList(downloads: [download], next: "a")), ("Download", download),
        ("Installation", Installation(download: download, joined: true)),
        ("OperationList", OperationList(operations: [operation], next: "a")), ("Operation", operation),
        ("Snapshot", SnapshotDocument(sequence: 1, downloads: [download], packs: [pack], skin: skinUse)),
        ("DownloadEvent", event(.download(download))),
        (
            "PackEvent",
            event(.pack(PackChange(productIdentifier: "a", kind: .skin, change: .damaged, version: nil, damages: 1)))
        ),
        ("CatalogueEvent", event(.catalogue(store: "a"))), ("UpdatesEvent", event(.updates([update]))),
        ("SkinEvent", event(.skin(skinUse, change: skinDifference))), ("SkinDifference", skinDifference),
        ("Event", event(.download(download))),
        (
            "SkinList",
            SkinList(use: skinUse, skins: [listedSkin], unreadable: [UnreadableSkin(path: "/a", error: error)])
        ),
        ("SkinSummary", listedSkin), ("UnreadableSkin", UnreadableSkin(path: "/a", error: error)),
        ("SkinUse", skinUse), ("SkinReference", skin),
        (
            "SkinValues",
            SkinValues(skin: skin, inherits: [skin], idiom: "phone", identifiers: ["a": skinEntity])
        ),
        ("SkinEntity", skinEntity), ("SkinValue", skinValue), ("SkinReport", SkinReport(warnings: [skinWarning])),
        ("SkinWarning", skinWarning), ("SkinRequest", SkinRequest(identifier: "a")),
        ("SkinCheckRequest", SkinCheckRequest(folder: "/a")),
        ("Uninstallation", Uninstallation(operation, unneeded: ["a"])),
        (
            "InstallRequest",
            InstallRequest(
                productIdentifier: "a", store: "a", file: "/a", consent: [.code], priority: -1, rateLimit: 1)
        ),
        ("DownloadChangeRequest", DownloadChangeRequest(paused: true, priority: 1, rateLimit: 0)),
        (
            "AddStoreRequest",
            AddStoreRequest(name: "a", url: url, unsigned: true, priority: 1, token: "a", netrc: false)
        ),
        ("UpdateRequest", UpdateRequest(productIdentifiers: ["a"], consent: [.code])),
        ("PackChangeRequest", PackChangeRequest(held: true)), ("SettingRequest", SettingRequest(value: "1")),
        ("ClockRequest", ClockRequest(advance: 0.5)), ("Clock", clock), ("ClockStep", clockStep),
    ]

    private static let skin = SkinReference(identifier: "a", name: "a", version: Version("1"))
    private static let skinUse = SkinUse(skin: skin, inherits: [skin], chosen: "a", problem: error)
    private static let skinValue = SkinValues.Value(type: "image", value: "a", address: "/a")
    private static let skinEntity = SkinValues.Entity(component: "a", operations: ["a": ["a": skinValue]])
    private static let skinDifference = SkinDifference(
        from: skin, to: skin, identifiers: ["a": ["a": ["a": skinValue], "b": nil]],
        properties: ["--a": "1", "--b": nil],
        rules: true)
    private static let skinWarning = SkinReport.Warning(code: "a", skin: "a", file: "a", line: 1, message: "a")
    private static let listedSkin = SkinSummary(
        identifier: "a", name: "a", version: Version("1"), parent: "a", origin: .purchased, inUse: true, path: "/a")
    private static let clock = ClockDocument(
        title: "a", elapsed: 1.5, time: Date(timeIntervalSince1970: 0), next: 2, sequence: 1, restarts: false,
        steps: [clockStep])
    private static let clockStep = ClockStep(at: 1, action: "a", productIdentifier: "a", error: error)

    static func json(of component: String) throws -> JSONValue {
        for sample in documents where sample.component == component {
            return try JSON.decode(from: JSON.encode(sample.value))
        }
        return .null
    }

    /// The same with as few members as can be.
    static let sparse: [(component: String, value: any Encodable & Sendable)] = [
        ("Status", StatusDocument(running: false, version: "1")),
        ("Error", ErrorReport(code: .unexpected, message: "")),
        ("Product", ProductItem(productIdentifier: "a", kind: .emoji, productName: "a")),
        ("Reference", ContentReference(url: url)),
        ("ProductDetails", ProductDetails(info: LocalizedText(byLanguage: ["en": "a", "pt": "b"]))),
        ("Installation", Installation(present: pack, operation: nil)),
        ("InstallRequest", InstallRequest(productIdentifier: "a")),
        ("AddStoreRequest", AddStoreRequest(name: "a", url: url)), ("UpdateRequest", UpdateRequest()),
        ("DownloadChangeRequest", DownloadChangeRequest(priority: 1)),
        (
            "Download",
            DownloadStatus(
                operation: OperationID(), action: .update, productIdentifier: "a", store: "a", state: .failed,
                activity: nil, error: error)
        ),
        (
            "Operation",
            OperationRecord(operation: OperationID(), action: .repair, productIdentifier: "a", startedAt: time)
        ),
        ("Result", OperationResult(productIdentifier: "a")),
        ("UpdateList", UpdateList(updates: [])), ("PackList", PackList(packs: [])),
    ]

    private static let url = URL(string: "https://store.example/a")!
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)
    private static let home = HomeDocument(data: "/a", cache: "/b", config: "/c", run: "/d")
    private static let status = StatusDocument(
        running: true, version: "1", pid: 1, startedAt: time, home: home, activeDownloads: 1, observers: 0, sequence: 1,
        warnings: ["a"])
    private static let setting = SettingDocument(
        key: "a.b", value: "", origin: "default", summary: "A.", needsRestart: false)
    private static let error = ErrorReport(code: .unexpected, message: "a", permissions: [.code])
    private static let store = StoreSummary(
        name: "a", url: url, unsigned: true, priority: -1, refreshedAt: time, products: 1, error: error)
    private static let reference = ContentReference(url: url, size: 1, sha256: SHA256Digest(of: [1]))
    private static let details = ProductDetails(info: "a", image: url, previews: [url], sprite: url)
    private static let pack = InstalledPack(
        productIdentifier: "a", store: "a", kind: .sticker, name: "a", version: Version("1"), path: "/a", size: 1,
        installedAt: time, held: true, permissions: [.code], state: ProductState.allCases)
    private static let purchase = Purchase(productIdentifier: "a", grantedAt: time)
    private static let damage = PackDamage(path: "a", damage: .permissions)
    private static let update = AvailableUpdate(
        productIdentifier: "a", store: "a", installed: Version("1"), available: Version("2"), heldBack: "held",
        permissions: [.code])
    private static let result = OperationResult(
        productIdentifier: "a", operation: OperationID(), end: .finished, error: error)
    private static let sticker = Sticker(
        id: "a", file: "a.png", emoji: ["🙂"], keywords: ["a"], description: LocalizedText(byLanguage: ["en": "a"]))
    private static let stickers = StickerPack(
        productIdentifier: "a", name: "a", publisher: "a", license: "a", version: Version("1"), path: "/a",
        cover: "a.png", stickers: [sticker])
    private static let operation = OperationRecord(
        operation: OperationID(), action: .install, productIdentifier: "a", store: "a", version: Version("1"),
        startedAt: time, endedAt: time, end: .failed, error: error)

    private static let product = {
        var product = ProductItem(
            productIdentifier: "a", kind: .skin, productName: LocalizedText(byLanguage: ["en": "a"]),
            version: Version("1"), productPrice: Price("1 EUR"), resource: reference)
        product.entryTable = reference
        product.image = reference
        product.details = reference
        product.sprite = reference
        product.previews = [reference]
        product.mirrors = [url]
        product.dependencies = ["b"]
        product.permissions = [.code]
        product.publisher = "a"
        product.license = "a"
        product.authors = ["a"]
        product.locales = ["en"]
        product.categories = ["a"]
        product.tags = ["a"]
        product.publishedAt = time
        product.popularity = 1
        product.defect = "a"
        return product
    }()

    private static let listed = ProductSummary(product, store: "a", state: [.free], languages: [])

    private static let download = {
        var download = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", kind: .sticker, store: "a",
            state: .downloading, activity: .transferring, reason: "a", attempt: 2, priority: 1, bytesReceived: 1,
            bytesExpected: 3, error: error)
        download.retryAt = time
        download.setRate(1)
        download.source = "https://store.example/a.zip"
        return download
    }()

    private static func event(_ happening: Event.Happening) -> Event {
        Event(sequence: 1, time: time, happening: happening)
    }
}
