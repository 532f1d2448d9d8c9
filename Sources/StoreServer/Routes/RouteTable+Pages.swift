import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreSettings
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the browser front-end's pages, and of the files that they refer to.
    mutating func addPages(_ manager: StoreManager, _ pages: PageResponder) {
        addAssets()
        addStickerPages(manager, pages)
        addSkinPages(manager, pages)
        get("/") { _ in Response(status: .seeOther, headers: [.location: "/store"]) }
        page("/store", pages) { request in
            let search = StorePage.Search(request)
            let found = try await manager.found(by: search, request)
            return StorePage(
                search, await manager.results(found, of: search, request.texts),
                categories: await manager.products.categories(of: nil, isCacheOnly: true).categories,
                warnings: found.warnings, request.texts)
        }
        // What the script of the store's page shows while the user types.
        page("/results", pages) { request in
            let search = StorePage.Search(request)
            return await manager.results(try await manager.found(by: search, request), of: search, request.texts)
        }
        page("/store/:store/:id", pages) { request in
            let overview = try await manager.products.product(
                request.identifier(), store: request.identifier("store"), languages: request.languages)
            return try await ProductPage(overview, request, manager)
        }
        page("/store/:store", pages) { request in
            // A link to a product of whichever store has it.
            let overview = try await manager.products.product(
                request.identifier("store"), store: nil, languages: request.languages)
            return try await ProductPage(overview, request, manager)
        }
        get("/links/:id") { request in
            await pages.redirection(of: request) { request in
                let product = PathSegment.encode(try request.identifier())
                let store = try request.query("store", expected: "the fingerprint of a root", SHA256Digest.init(hex:))
                guard let store else { return "/store/\(product)" }
                guard let name = await manager.stores.names(of: .root(store)).first else {
                    throw StoreError(.storeOfLinkNotAdded, ["product": .untrusted(try request.identifier())])
                }
                return "/store/\(PathSegment.encode(name))/\(product)"
            }
        }
        page("/library", pages) { request in
            let listing = try await manager.packs.listing()
            return LibraryPage(
                packs: listing.packs(languages: request.languages),
                unneeded: listing.packs(unneededOnly: true, languages: request.languages),
                verifiable: listing.verifiable,
                restorable: try await manager.packs.restorable(),
                history: try await manager.history.operations(of: nil, limit: 20),
                downloads: await manager.newestDownloads(), request.texts)
        }
        page(UpdatePlanPage.path, pages) { request in
            let selected = request.queryNames(after: UpdatePlanPage.selectionPrefix)
            let identifiers = selected.isEmpty && !request.flag("selected") ? nil : selected
            let plan = try await request.cancelledOnClose { try await manager.updates.plan(identifiers) }
            let packs = try await manager.packs.listing().packs(languages: request.languages)
            return UpdatePlanPage(
                plan, of: identifiers, names: packs.names,
                back: request.pageBefore, languages: request.languages, request.texts)
        }
        addPackPages(manager, pages)
        addHistoryPages(manager, pages)
        page("/settings", pages) { request in
            let settings = manager.settings.current
            let all = SettingKey.all.map { key in
                let origin = settings.origin(of: key)
                return SettingsPage.Setting(
                    key: key.name, value: settings[key].description, summary: key.summary,
                    origin: origin == .default ? nil : origin.description, needsRestart: key.needsRestart,
                    request.texts)
            }
            return SettingsPage(
                stores: await manager.stores.list(), settings: all, warnings: settings.warnings, request.texts)
        }
    }

    /// Adds a route of a page that a function makes; its error is shown as a page, too.
    mutating func page(
        _ path: String, _ pages: PageResponder, _ make: @escaping @Sendable (APIRequest) async throws -> any Page
    ) {
        get(path) { await pages.response(to: $0, make) }
    }

    private mutating func addAssets() {
        get(PageAsset.translationPath) { request in
            let text = request.query("text") ?? ""
            // The texts of the daemon are shorter. The time of the search is limited, because anyone may make this request.
            let shown = text.utf8.count > 4096 ? text : request.texts.translation(of: text)
            return request.response(
                Data(shown.utf8), mediaType: "text/plain; charset=utf-8",
                headers: [.xContentTypeOptions: "nosniff", .cacheControl: "no-cache", .vary: "Accept-Language"])
        }
        get("/assets/:name") { request in
            let name = try request.identifier("name")
            guard let asset = PageAsset.all[name] else {
                throw StoreError(.servedFileNotFound, ["path": .untrusted(name)])
            }
            // Compared by its entity tag each time: the next release of the daemon may have another.
            var headers: HTTPFields = [.xContentTypeOptions: "nosniff", .cacheControl: "no-cache"]
            if asset.isPage { headers[.contentSecurityPolicy] = PageResponder.contentSecurityPolicy }
            // The scope of a service worker is the directory of its script otherwise.
            if asset.isServiceWorker { headers[.init("Service-Worker-Allowed")!] = "/" }
            if asset.isTranslated { headers[.vary] = "Accept-Language" }
            let bytes = asset.bytes(in: request.language)
            return request.response(
                ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)), tag: EntityTag(of: Data(bytes)),
                mediaType: asset.mediaType, headers: headers)
        }
    }
}

extension InstallLink {
    /// The path of the page that the link opens.
    ///
    /// It leads to the product's page, where the user decides, or says that the store was not added.
    var page: String {
        "/links/" + PathSegment.encode(productIdentifier) + (store.map { "?store=\($0.hex)" } ?? "")
    }
}

extension StorePage.Search {
    fileprivate init(_ request: APIRequest) {
        self.init(
            words: request.query("words") ?? "", kind: request.query("kind") ?? "",
            category: request.query("category") ?? "", sort: request.query("sort") ?? SearchOrder.name.rawValue,
            isFree: request.flag("free"))
    }

    /// The parameters of a query that repeats the search.
    fileprivate var parameters: [String] {
        [("words", words), ("kind", kind), ("category", category), ("sort", sort), ("free", isFree ? "true" : "")]
            .filter { !$0.1.isEmpty }
            .map { $0.0 + "=" + PathSegment.encode($0.1) }
    }
}

extension StoreManager {
    /// The number of products on one page of a result.
    private static let pageSize = 60

    /// Returns the page of the result of a search for which a request asks.
    fileprivate func found(by search: StorePage.Search, _ request: APIRequest) async throws -> FoundProducts {
        let query = CatalogueQuery(
            words: search.words.split(separator: " ").map(String.init), named: nil,
            kind: search.kind.isEmpty ? nil : ProductKind(rawValue: search.kind),
            category: search.category.isEmpty ? nil : search.category, freeOnly: search.isFree,
            sort: SearchOrder(rawValue: search.sort) ?? .name, languages: request.languages)
        return await products.search(
            query, in: nil, after: try request.pageStart { SearchCursor($0.position) }, limit: Self.pageSize,
            isCacheOnly: request.flag("cached"))
    }

    fileprivate func results(
        _ found: FoundProducts, of search: StorePage.Search, _ texts: PageText
    ) async -> StoreResults {
        let stores = await stores.list()
        let products = found.products(in: 0..<found.count) { item, store in
            item.image.map {
                // Shown with 64 pixels, of which a screen may have twice as many.
                ProductImage.icon.path(of: item.productIdentifier, store: store, sha256: $0.sha256).sized(.medium)
            }
        }
        let next = found.next.map {
            (["after=" + PathSegment.encode(PageToken($0.parts).text)] + search.parameters).joined(separator: "&")
        }
        return StoreResults(
            products, unmanaged: Set(products.lazy.map(\.productIdentifier).filter(found.isUnmanaged)),
            unsigned: Set(stores.filter(\.unsigned).map(\.name)), hasStores: !stores.isEmpty,
            downloads: await newestDownloads(), next: next, texts)
    }
}

extension ProductPage {
    fileprivate init(_ overview: ProductOverview, _ request: APIRequest, _ manager: StoreManager) async throws {
        let paths = ProductImages(overview)
        let product = overview.product
        self.init(
            product, store: overview.store, states: overview.state, details: overview.details,
            // Shown with 96 pixels, of which a screen may have twice as many.
            images: Images(
                icon: (paths.icon ?? paths.image)?.sized(.large), sprite: paths.sprite, previews: paths.previews),
            pack: overview.pack, isVerifiable: overview.isVerifiable,
            // An installed pack may come from a file, or from a store that was removed since.
            isUnsigned: (try? await manager.stores.store(overview.store))?.unsigned ?? false,
            download: await manager.newestDownloads()[product.productIdentifier], languages: request.languages,
            warnings: overview.warnings, request.texts)
    }
}

extension APIRequest {
    /// The texts of pages in the language of the reader.
    var texts: PageText { PageText(language) }
}

extension String {
    /// Returns the path of an image in the API with the parameter for a thumbnail of that size.
    fileprivate func sized(_ size: ThumbnailSize) -> String {
        self + (contains("?") ? "&" : "?") + "size=\(size.pixels)"
    }
}

extension StoreManager {
    /// Returns the newest download of each product that has one.
    fileprivate func newestDownloads() async -> [String: DownloadStatus] {
        Dictionary(await downloads.all().map { ($0.productIdentifier, $0) }) { a, b in
            a.operation.rawValue > b.operation.rawValue ? a : b
        }
    }
}
