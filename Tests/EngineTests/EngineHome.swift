import FoundationEssentials
import Logging
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSkins
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

/// A temporary home with its settings and stores.
final class EngineHome: Sendable {
    let folder: TemporaryFolder
    let places: HomePaths
    /// The stores that were added; their directories must exist as long as the home.
    private let stores = Mutex<[FileStore]>([])

    init(_ folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        let facts = HomePaths.Facts(environment: [:], user: 1, passwordHome: nil, currentFolder: "/")
        var places = try HomePaths(facts, home: self.folder.path)
        places.systemSettings = self.folder.path + "/no-such-file"
        self.places = places
    }

    /// Settings without caches and retry delays, so that tests depend neither on cached data nor on the speed of the
    /// machine.
    static let always: [SettingKey: String] = [
        .catalogueRefreshAfter: "0", .downloadsRetryDelay: "0", .downloadsKeptArchives: "0",
        .networkStallTimeout: "3600", .networkAnswerTimeout: "3600", .networkConnectTimeout: "3600",
        .catalogueWaitTimeout: "3600", .catalogueRefreshTimeout: "86400",
    ]
    /// The same settings with a cache of archives.
    static let keeping: [SettingKey: String] = always.merging([.downloadsKeptArchives: "1000000"]) { $1 }

    func open(
        _ overrides: [SettingKey: String] = always, kinds: [any ContentKind] = [], environment: [String: String] = [:],
        in places: HomePaths? = nil, clock: TimeSource = .system
    ) async throws -> StoreManager {
        let given = ContentKinds(kinds)
        var special: (@Sendable (StoreSettings.Settings, SkinsManager) -> ContentKinds)?
        if !kinds.isEmpty { special = { _, _ in given } }
        return try await StoreManager.open(
            places: places ?? self.places, environment: environment, overrides: overrides,
            kinds: special, clock: clock,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Opens a manager with `store` added under the name `main`.
    func open(
        using store: FileStore, _ overrides: [SettingKey: String] = always, kinds: [any ContentKind] = []
    ) async throws -> StoreManager {
        stores.withLock { $0.append(store) }
        let manager = try await open(overrides, kinds: kinds)
        try await manager.use(store)
        return manager
    }

    var data: Directory { get throws { try folder.directory.openDirectory("data") } }
    var packs: Directory { get throws { try folder.directory.openDirectory("data/packs") } }

    /// Whether no file of an unfinished operation is left.
    func isClear() throws -> Bool {
        try folder.directory.openDirectory("data/staging").names().isEmpty
            && folder.directory.openDirectory("cache/partial").names().isEmpty
    }
}

extension StoreManager {
    @discardableResult
    func use(_ store: FileStore, as name: String = "main", priority: Int = 0) async throws -> StoreSummary {
        try await stores.add(name: name, url: store.url, unsigned: true, priority: priority)
    }

    /// Installs a product and waits for the end of its download.
    @discardableResult
    func installed(
        _ identifier: String, store: String? = nil, consent: Consent = []
    ) async throws -> DownloadStatus {
        try await end(of: installs.install(identifier, store: store, consent: consent))
    }

    /// Waits for the end of an installation's download, and returns its final status.
    @discardableResult
    func end(of installation: Installation) async throws -> DownloadStatus {
        let download = try #require(installation.download, "there was nothing to download")
        return try await end(of: download.operation)
    }

    func end(of operation: OperationID) async throws -> DownloadStatus {
        // Subscribed first, so that an end between the list and the wait is not missed. The list of running downloads may
        // have a finished one whose end is still being recorded.
        let (subscription, ended) = (try events.subscribe(), events.endedDownloads)
        if let ended = ended.first(where: { $0.operation == operation }) { return ended }
        for try await event in subscription {
            if case .download(let status) = event.event.happening, status.operation == operation, status.state.isEnd {
                return status
            }
        }
        throw CancellationError()
    }

    /// Updates all packs, or those named, waits for the ends, and returns the errors by product.
    func updated(
        _ identifiers: [String]? = nil, consent: Consent = []
    ) async throws -> [String: ErrorReport?] {
        var ends: [String: ErrorReport?] = [:]
        for outcome in try await updates.update(identifiers, consent: consent) {
            if let operation = outcome.operation {
                ends[outcome.productIdentifier] = try await end(of: operation).error
            } else {
                ends[outcome.productIdentifier] = outcome.error
            }
        }
        return ends
    }
}

/// A format 1 store in a directory, written according to the contract.
final class FileStore: Sendable {
    let folder: TemporaryFolder
    var url: URL { folder.url }
    private let list: Mutex<[Product]>

    var products: [Product] {
        get { list.withLock { $0 } }
        set { list.withLock { $0 = newValue } }
    }

    /// The text of an image, for packs that only images make sticker packs.
    static let image = #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>"#

    struct Product: Sendable {
        var identifier: String
        var type = "sticker"
        var price: String?
        var files: [String: String]
        var dependencies: [String] = []
        var permissions: [String] = []
        var withdrawn = false
        /// The name of the ZIP file; another name is another URL.
        var archive: String
        /// Bytes to serve instead of a ZIP of the files.
        var bytes: [UInt8]?
        var isIncomplete = false

        init(
            _ identifier: String, _ files: [String: String] = ["1.txt": "one"], price: String? = nil,
            dependencies: [String] = [], type: String = "sticker"
        ) {
            self.identifier = identifier
            self.files = files
            self.price = price
            self.dependencies = dependencies
            self.type = type
            archive = PackDirectoryName(productIdentifier: identifier).text.replacing("%", with: "_") + ".zip"
        }

        var zip: [UInt8] {
            if let bytes { return bytes }
            return files.sorted { $0.key < $1.key }
                .reduce(ZipForge()) { $0.file($1.key, Array($1.value.utf8)) }.build()
        }
    }

    init(_ products: Product...) throws {
        folder = try TemporaryFolder()
        list = Mutex(products)
        try publish()
    }

    subscript(identifier: String) -> Product {
        get { products.first { $0.identifier == identifier }! }
        set { products = products.map { $0.identifier == identifier ? newValue : $0 } }
    }

    /// Writes the ZIP files and the catalogue.
    func publish() throws {
        let entries = try products.map { product in
            let zip = product.zip
            try folder.directory.put("content/" + product.archive, Data(zip))
            var entry: [String: String] = [
                "productIdentifier": text(product.identifier), "productName": text("The \(product.identifier)"),
                "productType": text(product.type), "productPrice": text(product.price ?? ""),
                "dependencies": "[" + product.dependencies.map(text).joined(separator: ",") + "]",
                "permissions": "[" + product.permissions.map(text).joined(separator: ",") + "]",
                "withdrawn": "\(product.withdrawn)", "productResourceSize": "\(zip.count)",
                "productResourceURL": text("content/" + product.archive),
            ]
            if product.isIncomplete { entry["productResourceURL"] = nil }
            return "{" + entry.map { "\(text($0.key)):\($0.value)" }.joined(separator: ",") + "}"
        }
        try folder.directory.put("catalogue.json", "[" + entries.joined(separator: ",\n") + "]")
    }

    private func text(_ text: String) -> String {
        String(decoding: try! JSON.encode(text), as: UTF8.self)  // Text can always be encoded.
    }
}
