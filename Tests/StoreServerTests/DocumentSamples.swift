import FoundationEssentials
import StoreAPI
import StoreModel
import StoreOpenAPI

/// A value of a wire document, and the type whose schema it has to match.
struct DocumentSample: Sendable, CustomStringConvertible {
    let type: any SchemaProviding.Type
    let value: any Encodable & Sendable

    /// A sample of a value that has a schema itself.
    init(_ value: some Encodable & SchemaProviding) {
        type = Swift.type(of: value)
        self.value = value
    }

    /// A sample of an event, of which each type has a schema.
    init(_ type: any SchemaProviding.Type, _ change: Event.Happening) {
        self.type = type
        value = Event(sequence: 1, time: Date(timeIntervalSince1970: 1_700_000_000), happening: change)
    }

    var json: JSONValue {
        get throws { try JSON.decode(from: JSON.encode(value)) }
    }

    var description: String { type.schemaName }
}

/// Samples of all wire documents.
enum DocumentSamples {
    /// One value of each document, with all optional members set.
    static let complete: [DocumentSample] =
        completeExchange + [
            DocumentSample(StickerPackOrderRequest(packs: ["a"])), DocumentSample(StickerFetchRequest(reference: "a")),
            DocumentSample(status), DocumentSample(home), DocumentSample(SettingList(settings: [setting])),
            DocumentSample(setting), DocumentSample(SettingRequest(value: "1")), DocumentSample(error),
            DocumentSample(ProblemDocument(commandError, status: 422, title: "Unprocessable Content")),
            DocumentSample(StoreList(stores: [store])), DocumentSample(store),
            DocumentSample(
                AddStoreRequest(
                    name: "a", url: url, unsigned: true, priority: 1, token: "a", netrc: false, root: Data([1]),
                    rootURL: url,
                    fingerprint: "a")),
            DocumentSample(signature), DocumentSample(trust), DocumentSample(trust.roles[0]),
            DocumentSample(trust.publishers[0]), DocumentSample(key),
            DocumentSample(ProductList(products: [listedProduct], warnings: ["a"], next: "a")),
            DocumentSample(listedProduct),
            DocumentSample(CategoryList(categories: [category], warnings: ["a"])), DocumentSample(category),
            DocumentSample(
                ProductDocument(
                    store: "a", product: product, images: images, state: [.free], details: details, pack: pack,
                    warnings: ["a"])),
            DocumentSample(images), DocumentSample(product), DocumentSample(reference), DocumentSample(details),
            DocumentSample(PurchaseList(purchases: [purchase])), DocumentSample(purchase),
            DocumentSample(PackList(packs: [pack], next: "a")), DocumentSample(pack),
            DocumentSample(PackChangeRequest(held: true)),
            DocumentSample(VerificationDocument(productIdentifier: "a", damages: [damage])), DocumentSample(damage),
            DocumentSample(UpdateList(updates: [update], warnings: ["a"], error: error)), DocumentSample(update),
            DocumentSample(
                UpdateRequest(productIdentifiers: ["a"], consent: [.code], consents: ["a": [.code]], agreed: ["a"])),
            DocumentSample(OperationResultList(results: [result])), DocumentSample(result),
            DocumentSample(EmojiSetList(sets: [emojiSet])), DocumentSample(emojiSet), DocumentSample(emoji),
            DocumentSample(EmojiUse(set: "a", version: Version("1"), chosen: "a", problem: error)),
            DocumentSample(EmojiSetRequest(identifier: "a")),
            DocumentSample(EmojiCategoryList(categories: [emojiCategory])), DocumentSample(emojiCategory),
            DocumentSample(EmojiCategory.Subgroup(name: "a", emoji: ["😀"])),
            DocumentSample(EmojiMatchList(emoji: [emojiMatch])), DocumentSample(emojiMatch),
            DocumentSample(MessageTextRequest(text: "a", unit: .utf8)),
            DocumentSample(MessageTextDocument(unit: .utf16, spans: [emojiSpan])), DocumentSample(emojiSpan),
            DocumentSample(StickerPackList(packs: [stickers])), DocumentSample(stickers), DocumentSample(sticker),
            DocumentSample(stickerImage), DocumentSample(InstalledStickerList(stickers: [installedSticker], total: 1)),
            DocumentSample(installedSticker), DocumentSample(stickerName), DocumentSample(stickerLists),
            DocumentSample(SentStickers(stickers: [stickerName])), DocumentSample(StickerPackOrder(packs: ["a"])),
            DocumentSample(StickerReferenceDocument(reference: "a")),
            DocumentSample(MessageTextDocument(unit: .utf16, spans: [stickerSpan])), DocumentSample(stickerSpan),
            DocumentSample(
                StickerResolution(
                    reference: stickerReference, state: .cached, sticker: sticker, pack: referencedPack)),
            DocumentSample(referencedPack),
            DocumentSample(DownloadList(downloads: [download], next: "a")), DocumentSample(download),
            DocumentSample(DownloadChangeRequest(paused: true, priority: 1, rateLimit: 0)),
            DocumentSample(
                InstallRequest(
                    productIdentifier: "a", store: "a", file: "/a", consent: [.code], consents: ["a": [.code]],
                    agreed: ["a"], priority: -1, rateLimit: 1)),
            DocumentSample(installation),
            DocumentSample(PlanRequest(action: .install, products: [planProduct], use: "a")),
            DocumentSample(planProduct),
            DocumentSample(plan), DocumentSample(planStep), DocumentSample(planFailure),
            DocumentSample(OperationList(operations: [operation], next: "a")), DocumentSample(operation),
            DocumentSample(Uninstallation(operation, unneeded: ["a"])),
            DocumentSample(
                SnapshotDocument(
                    sequence: 1, downloads: [download], packs: [pack], stores: [store], purchases: [purchase],
                    settings: [settingState], skin: skinUse, stickers: stickerLists)),
            DocumentSample(settingState),
            DocumentSample(Event.StoreEvent.self, .store(StoreChange(store: "a", summary: store))),
            DocumentSample(Event.TrustEvent.self, .trust(trustChange)),
            DocumentSample(
                Event.PurchaseEvent.self, .purchase(PurchaseChange(productIdentifier: "a", grantedAt: time))),
            DocumentSample(Event.SettingEvent.self, .setting(settingState)),
            DocumentSample(Event.self, .download(download)),
            DocumentSample(Event.DownloadEvent.self, .download(download)),
            DocumentSample(
                Event.PackEvent.self,
                .pack(
                    PackChange(
                        productIdentifier: "a", kind: .skin, change: .damaged, version: Version("1"), damages: 1,
                        pack: pack,
                        names: LocalizedText(byLanguage: ["en": "a"])))),
            DocumentSample(Event.CatalogueEvent.self, .catalogue(store: "a")),
            DocumentSample(
                Event.StickersEvent.self,
                .stickers(StickersChange(list: .recents, stickers: [stickerName], packs: ["a"]))),
            DocumentSample(Event.UpdatesEvent.self, .updates([update])),
            DocumentSample(Event.SkinEvent.self, .skin(skinUse, change: skinDifference)),
            DocumentSample(skinDifference),
            DocumentSample(
                SkinList(use: skinUse, skins: [listedSkin], unreadable: [UnreadableSkin(path: "/a", error: error)])),
            DocumentSample(listedSkin), DocumentSample(UnreadableSkin(path: "/a", error: error)),
            DocumentSample(skinUse),
            DocumentSample(skin),
            DocumentSample(SkinValues(skin: skin, inherits: [skin], idiom: "phone", identifiers: ["a": skinEntity])),
            DocumentSample(skinEntity), DocumentSample(skinValue), DocumentSample(SkinReport(warnings: [skinWarning])),
            DocumentSample(skinWarning), DocumentSample(SkinRequest(identifier: "a")),
            DocumentSample(SkinCheckRequest(folder: "/a")),
            DocumentSample(ClockRequest(advance: 0.5)), DocumentSample(clock), DocumentSample(clockStep),
        ]

    /// Values of each document that has optional members.
    ///
    /// Each of these members is unset in one of the values.
    static let sparse: [DocumentSample] =
        sparseExchange + [
            DocumentSample(StatusDocument(running: false, version: "1")), DocumentSample(sparseError),
            DocumentSample(ProblemDocument(sparseError, status: 500, title: "Internal Server Error")),
            DocumentSample(
                StoreSummary(
                    name: "a", url: url, unsigned: true, priority: -1, refreshedAt: nil, products: 1, error: nil)),
            DocumentSample(AddStoreRequest(name: "a", url: url)),
            DocumentSample(StoreSignature(fingerprint: SHA256Digest(of: [1]).hex)),
            DocumentSample(
                StoreTrustReport(
                    store: "a", signed: false, signatureAvailable: true, signature: nil, age: nil, warnAfter: 1,
                    refuseAfter: 1, refusal: nil, roles: [], publishers: [])),
            DocumentSample(StoreTrustReport.Role(role: "root", version: nil, expires: nil, threshold: 1, keys: [])),
            DocumentSample(ProductList(products: [])),
            DocumentSample(ProductSummary(sparseProduct, store: "a", state: [], languages: [])),
            DocumentSample(
                ProductDocument(store: "a", product: sparseProduct, state: [], details: nil, pack: nil)),
            DocumentSample(ProductImages()),
            DocumentSample(sparseProduct), DocumentSample(ContentReference(url: url)),
            DocumentSample(ProductDetails(info: LocalizedText(byLanguage: ["en": "a", "pt": "b"]))),
            DocumentSample(PackList(packs: [])),
            DocumentSample(
                PackList(
                    packs: [],
                    missing: [
                        MissingPack(
                            productIdentifier: "a", store: nil, version: nil, operation: OperationID(rawValue: "o"))
                    ])
            ),
            DocumentSample(
                InstalledPack(
                    productIdentifier: "a", store: nil, kind: .sticker, name: "a", version: nil, path: "/a", size: 1,
                    installedAt: time, held: false, permissions: [], state: [])),
            DocumentSample(UpdateList(updates: [])),
            DocumentSample(AvailableUpdate(productIdentifier: "a", store: "a", installed: nil, available: nil)),
            DocumentSample(UpdateRequest()), DocumentSample(OperationResult(productIdentifier: "a")),
            DocumentSample(EmojiSet(productIdentifier: "a", name: "a", path: "/a", emoji: [])),
            DocumentSample(Emoji(text: "a")), DocumentSample(EmojiUse(set: nil, chosen: nil)),
            DocumentSample(EmojiCategory(name: nil, subgroups: [])),
            DocumentSample(EmojiMatch(emoji: "a", name: nil, keywords: [], category: nil)),
            DocumentSample(MessageTextRequest(text: "a")),
            DocumentSample(EmojiTextSpan(kind: .emoji, text: "a", emoji: "a", start: 0, end: 1)),
            DocumentSample(
                StickerPack(
                    productIdentifier: "a", name: "a", publisher: nil, license: nil, version: nil, path: "/a",
                    cover: nil,
                    stickers: [])),
            DocumentSample(Sticker(id: "a", file: "a.png", path: "/a/a.png", url: "/v1/a")),
            DocumentSample(InstalledStickerList(stickers: [])),
            DocumentSample(
                InstalledSticker(productIdentifier: "a", packName: "a", sticker: sticker)),
            DocumentSample(StickerResolution(reference: plainReference, state: .unknownStore)),
            DocumentSample(StickerReferenceSpan(reference: plainReference, start: 0, end: 1)),
            DocumentSample(
                StickerResolution.Pack(
                    productIdentifier: "a", store: nil, name: "a", version: nil, size: nil, price: .free,
                    installed: false)),
            DocumentSample(DownloadList(downloads: [])), DocumentSample(sparseDownload),
            DocumentSample(endedDownload),
            DocumentSample(DownloadChangeRequest(priority: 1)), DocumentSample(DownloadChangeRequest(paused: true)),
            DocumentSample(InstallRequest(productIdentifier: "a")),
            DocumentSample(Installation(present: pack, operation: nil)),
            DocumentSample(Installation(download: download, joined: false)),
            DocumentSample(PlanRequest(action: .update)), DocumentSample(ChangePlan.Product("a")),
            DocumentSample(ChangePlan.Product(file: "/a")), DocumentSample(ChangePlan(steps: [sparsePlanStep])),
            DocumentSample(ChangePlan(steps: [unknownPlanStep])),
            DocumentSample(sparsePlanStep),
            DocumentSample(OperationList(operations: [])), DocumentSample(sparseOperation),
            DocumentSample(Uninstallation(sparseOperation, unneeded: [])),
            DocumentSample(SnapshotDocument(sequence: 1, downloads: [], packs: [])),
            DocumentSample(Event.DownloadEvent.self, .download(sparseDownload)),
            DocumentSample(Event.DownloadEvent.self, .download(endedDownload)),
            DocumentSample(
                Event.PackEvent.self,
                .pack(PackChange(productIdentifier: "a", kind: .skin, change: .removed, version: nil))),
            DocumentSample(Event.StoreEvent.self, .store(StoreChange(store: "a", summary: nil))),
            DocumentSample(Event.TrustEvent.self, .trust(TrustChange(store: "a", trust: nil))),
            DocumentSample(
                Event.PurchaseEvent.self, .purchase(PurchaseChange(productIdentifier: "a", grantedAt: nil))),
            DocumentSample(Event.SkinEvent.self, .skin(sparseSkinUse, change: nil)),
            DocumentSample(
                SkinDifference(from: nil, to: skin, identifiers: [:], properties: [:], rules: false)),
            DocumentSample(
                SkinSummary(
                    identifier: "a", name: "a", version: nil, parent: nil, origin: .preinstalled, inUse: true,
                    path: "/a")),
            DocumentSample(sparseSkinUse), DocumentSample(SkinReference(identifier: "a", name: "a", version: nil)),
            DocumentSample(SkinValues.Value(type: "color", value: "#000000")),
            DocumentSample(SkinReport.Warning(code: "a", skin: "a", file: "a", line: nil, message: "a")),
            DocumentSample(
                ClockDocument(title: "a", elapsed: 0, time: time, next: nil, sequence: 1, restarts: true, steps: [])),
            DocumentSample(ClockStep(at: 1, action: "a", productIdentifier: nil, error: nil)),
        ]

    private static let emojiCategory = EmojiCategory(name: "a", subgroups: [.init(name: "a", emoji: ["😀"])])
    private static let emojiMatch = EmojiMatch(emoji: "a", name: "a", keywords: ["a"], category: "a")
    private static let emojiSpan = EmojiTextSpan(
        kind: .shortcode, text: "a", emoji: "a", start: 0, end: 1, image: "/a")
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

    private static let sparseError = ErrorReport(code: .unexpected, message: "")
    private static let sparseProduct = ProductItem(productIdentifier: "a", kind: .emoji, productName: "a")
    private static let sparseSkinUse = SkinUse(skin: nil, inherits: [], chosen: nil, problem: nil)
    private static let sparseDownload = DownloadStatus(
        operation: OperationID(), action: .update, productIdentifier: "a", store: "a")
    private static let endedDownload = DownloadStatus(
        operation: OperationID(), action: .update, productIdentifier: "a", store: "a", state: .failed, activity: nil,
        error: error)
    private static let sparseOperation = OperationRecord(
        operation: OperationID(), action: .repair, productIdentifier: "a", startedAt: time)

    private static let url = URL(string: "https://store.example/a")!
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)
    private static let home = HomeDocument(data: "/a", cache: "/b", config: "/c", run: "/d")
    private static let status = StatusDocument(
        running: true, version: "1", pid: 1, startedAt: time, home: home, socket: "/d/stored.sock", activeDownloads: 1,
        observers: 0, sequence: 1, warnings: ["a"], confinement: confinement, thumbnails: thumbnails)
    private static let setting = SettingDocument(
        key: "a.b", value: "", unit: "seconds", origin: "default", summary: "A.", needsRestart: false)
    private static let error = ErrorReport(
        code: .unexpected, message: "a", hint: "a", permissions: [.code], requestingProduct: "a",
        rootFingerprint: SHA256Digest(of: [1]).hex)
    private static let commandError = ErrorReport(
        code: .packMissing, message: "a", hint: "run 'storectl list'", permissions: [.code], requestingProduct: "a",
        rootFingerprint: SHA256Digest(of: [1]).hex)
    private static let store = StoreSummary(
        name: "a", url: url, unsigned: true, priority: -1, refreshedAt: time, products: 1, withdrawn: 1, error: error,
        signature: signature, signatureAvailable: true)
    private static let key = StoreTrustReport.Key(id: "a", scheme: "ed25519", publicKey: "a")
    private static let trust = StoreTrustReport(
        store: "a", signed: true, signatureAvailable: false, signature: signature, age: 1, warnAfter: 1, refuseAfter: 1,
        refusal: error, roles: [.init(role: "root", version: 1, expires: time, threshold: 1, keys: [key])],
        publishers: [.init(name: "a", identifierPrefix: "a.", threshold: 1, keys: [key])])
    private static let signature = StoreSignature(
        fingerprint: SHA256Digest(of: [1]).hex, rootVersion: 1, verifiedAt: time, expires: time, warnings: ["a"])
    private static let reference = ContentReference(url: url, size: 1, sha256: SHA256Digest(of: [1]))
    private static let images = ProductImages(icon: "/a", image: "/a", sprite: "/a", previews: ["/a"])
    private static let details = ProductDetails(
        info: "a", image: url, previews: [url], sprite: url, changes: "a")
    private static let pack = InstalledPack(
        productIdentifier: "a", store: "a", signed: true, kind: .sticker, name: "a", version: Version("1"), path: "/a",
        size: 1,
        installedAt: time, held: true, permissions: [.code], dependencies: ["b"], state: ProductState.allCases)
    private static let settingState = SettingState(key: "a", value: "a", origin: "default")
    private static let purchase = Purchase(productIdentifier: "a", grantedAt: time)
    private static let damage = PackDamage(path: "a", damage: .permissions)
    private static let update = AvailableUpdate(
        productIdentifier: "a", store: "a", installed: Version("1"), available: Version("2"), heldBack: "held",
        permissions: [.code])
    private static let result = OperationResult(
        productIdentifier: "a", operation: OperationID(), end: .finished, error: error)
    private static let sticker = Sticker(
        id: "a", file: "a.png", path: "/a/a.png", url: "/v1/a", emoji: ["🙂"], keywords: ["a"],
        description: LocalizedText(byLanguage: ["en": "a"]), image: stickerImage)
    private static let stickerImage = StickerImage(
        mediaType: "image/png", width: 1, height: 1, size: 1, animated: false)
    private static let installedSticker = InstalledSticker(
        productIdentifier: "a", packName: "a", sticker: sticker, favourite: true, sentAt: time, sentCount: 1)
    private static let stickerName = StickerName(productIdentifier: "a", sticker: "a")
    private static let stickerLists = StickerLists(
        recents: [stickerName], frequent: [stickerName], favourites: [stickerName], order: ["a"])
    private static let referencedPack = StickerResolution.Pack(
        productIdentifier: "a", store: "a", name: "a", version: Version("1"), size: 1, price: .free, installed: true)
    /// A reference without a replacement text.
    private static let plainReference = StickerReference(
        store: .address(SHA256Digest(of: [])), productIdentifier: "a", version: "1", sticker: "a",
        sha256: SHA256Digest(of: []), emoji: "")!
    private static let stickerSpan = StickerReferenceSpan(reference: stickerReference, start: 0, end: 1)
    private static let stickerReference = StickerReference(
        store: .address(SHA256Digest(of: [])), productIdentifier: "a", version: "1", sticker: "a",
        sha256: SHA256Digest(of: []), emoji: "🙂")!
    private static let emoji = Emoji(text: "🙂", category: "a", file: "a.png")
    private static let emojiSet = EmojiSet(
        productIdentifier: "a", name: "a", publisher: "a", license: "a", version: Version("1"),
        operation: OperationID(), path: "/a", emoji: [emoji])
    private static let stickers = StickerPack(
        productIdentifier: "a", name: "a", publisher: "a", license: "a", version: Version("1"), path: "/a",
        cover: "a.png", stickers: [sticker])
    private static let planProduct: ChangePlan.Product = {
        var product = ChangePlan.Product("a", store: "a")
        product.file = "/a"
        return product
    }()
    private static let trustChange = TrustChange(
        store: "a", trust: .signed, fingerprint: SHA256Digest(of: [1]).hex, rootVersion: 1)
    private static let planStep = ChangePlan.Step(
        id: "a", action: .update, productIdentifier: "a", store: "a", signed: true, kind: .plugin, name: "a",
        installed: Version("1"),
        version: Version("2"), requiredBy: "b", downloadSize: 1, diskSize: 2, permissions: [.code],
        changes: "a")
    private static let sparsePlanStep = ChangePlan.Step(
        id: "a", action: .uninstall, productIdentifier: "a", store: nil, kind: .sticker, name: "a")
    private static let unknownPlanStep = ChangePlan.Step(
        id: "a", action: .install, productIdentifier: "a", store: nil, kind: .sticker, name: "a")
    private static let planFailure = ChangePlan.Failure(productIdentifier: "a", error: error)
    private static let plan = ChangePlan(
        steps: [planStep], keptBack: [update], unneeded: ["a"], failures: [planFailure], freeSpace: 1, warnings: ["a"])
    private static let operation = OperationRecord(
        operation: OperationID(), action: .install, productIdentifier: "a", store: "a", version: Version("1"),
        startedAt: time, endedAt: time, end: .failed, error: error)

    private static let product = {
        var product = ProductItem(
            productIdentifier: "a", kind: .skin, productName: LocalizedText(byLanguage: ["en": "a"]),
            version: Version("1"), productPrice: Price("1 EUR"), resource: reference)
        product.entryTable = reference
        product.filesSHA256 = SHA256Digest(of: "files".utf8)
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

    private static let category = ProductCategory(name: "a", products: 1)
    private static let listedProduct = ProductSummary(
        product, store: "a", state: [.free], languages: [], icon: "/a")

    private static let installation = {
        var installation = Installation(download: download, joined: true)
        installation.warnings = ["a"]
        return installation
    }()
    private static let download = {
        var download = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", kind: .sticker, store: "a",
            state: .downloading, activity: .transferring, reason: "a", reasonCode: .retry, attempt: 2, priority: 1,
            bytesReceived: 1,
            bytesExpected: 3, error: error)
        download.retryAt = time
        download.setRate(1)
        download.source = "https://store.example/a.zip"
        return download
    }()
}
