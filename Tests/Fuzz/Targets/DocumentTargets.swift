import FoundationEssentials
import StoreModel
import StoreStickerPacks
import StoreSystem

@testable import StoreCatalogue
@testable import StoreEngine
@testable import StoreLibrary
@testable import StoreSettings
@testable import StoreStickers

extension FuzzTarget {
    private static let limits = CatalogueLimits(
        documentSize: 4_000, totalSize: 100_000, products: 20, shards: 10, values: 500, nesting: 12)
    private static let addresses = [
        URL(string: "https://store.example/a/catalogue.json"), URL(string: "file:///srv/store/catalogue.json"),
    ].compactMap { $0 }

    /// Checks a document of a store: format 1, the index of format 2, or a shard.
    @Sendable static func catalogue(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        for address in addresses {
            let first = verdict { try CatalogueDocument.parse(data, url: address, limits: limits) }
            let second = verdict { try CatalogueDocument.parse(data, url: address, limits: limits) }
            requireSame(first, second, "two readings")
            switch first {
            case .accepted(.products(let list)): try check(list, address)
            case .accepted(.index(let index)):
                require(index.shards.count <= limits.shards, "shards")
                for shard in index.shards { checkAddress(shard.url, of: address) }
                try requireStable(IndexEntry.self, data)
            case .refused: break
            }
        }
        let shard = CatalogueIndex.Shard(
            url: addresses[0], size: bytes.count, sha256: SHA256Digest(of: bytes), products: 1)
        if case .accepted(let list) = verdict({ try CatalogueDocument.parse(data, of: shard, limits: limits) }) {
            try check(list, addresses[0])
            let entries = try JSON.decode(Entries.self, from: data).products
            // A value that is not an object can't be encoded again.
            guard entries.allSatisfy(\.isObject) else { return }
            let written = try JSON.encode(ShardEntry(products: entries))
            let again = CatalogueIndex.Shard(
                url: addresses[0], size: written.count, sha256: SHA256Digest(of: written), products: 1)
            let generous = CatalogueLimits.standard
            requireSame(
                verdict { try CatalogueDocument.parse(written, of: again, limits: generous) }, .accepted(list),
                "a shard that is written again")
        }
    }

    private struct Entries: Decodable { let products: [CatalogueEntry] }

    private static func check(_ list: CatalogueProducts, _ address: URL) throws {
        require(list.items.count <= limits.products, "products")
        requireSame(Set(list.items.map(\.productIdentifier)).count, list.items.count, "identifiers")
        for item in list.items {
            let files = [item.resource, item.entryTable, item.image, item.details, item.sprite] + item.previews
            for file in files.compactMap({ $0 }) { checkAddress(file.url, of: address) }
            for mirror in item.mirrors { checkAddress(mirror, of: address) }
            _ = PackDirectoryName(productIdentifier: item.productIdentifier)
            try requireStable(item)
        }
        let catalogue = Catalogue(format: 1, url: address, revision: SHA256Digest(of: []), list: list)
        for sort in SearchOrder.allCases {
            let query = CatalogueQuery(words: ["a"], sort: sort, languages: ["pt-BR"])
            require(catalogue.search(query).count <= list.items.count, "found")
        }
    }

    private static func checkAddress(_ url: URL, of document: URL) {
        let scheme = url.scheme?.lowercased()
        require(["http", "https"].contains(scheme) || document.isFileURL && scheme == "file", "address \(url)")
    }

    @Sendable static func details(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        let first = verdict { try DetailsDocument.parse(data, url: addresses[0], limits: limits) }
        requireSame(
            first, verdict { try DetailsDocument.parse(data, url: addresses[0], limits: limits) }, "two readings")
        guard case .accepted(let details) = first else { return }
        for url in [details.image, details.sprite].compactMap({ $0 }) + details.previews {
            checkAddress(url, of: addresses[0])
        }
        let written = try JSON.encode(try JSON.decode(DetailsEntry.self, from: data))
        requireSame(
            verdict { try DetailsDocument.parse(written, url: addresses[0]) }, first, "details that are written again")
    }

    @Sendable static func entryTable(_ bytes: [UInt8]) throws { try requireStable(EntryTable.self, Data(bytes)) }

    /// Checks the receipt of a pack, which anybody may have written.
    @Sendable static func receipt(_ bytes: [UInt8]) throws {
        try Workspace.withFolder { folder in
            try folder.createFile(Receipt.fileName).write(Data(bytes))
            guard let receipt = try? Receipt.read(from: folder) else { return }
            require(receipt.size >= 0, "size")
            try requireStable(receipt)
        }
    }

    /// Checks the information file of a pack whose directory contains some files and a link.
    @Sendable static func packInformation(_ bytes: [UInt8]) throws {
        if let information = try? PackInformation.decode(PackInformation.self, from: Data(bytes)) {
            try requireStable(information)
        }
        try Workspace.withFolder { folder in
            for name in ["1.png", "10.webp", "2.gif"] { _ = try folder.createFile(name) }
            try folder.makeDirectory("d")
            _ = try folder.createFile("d/3.png")
            try folder.putLink("link.png", to: "/etc/passwd")
            try folder.createFile(PackInformation.fileName).write(Data(bytes))
            do {
                try StickerKind().check(folder)
            } catch let error as StoreError {
                requireSame(error.code.exitCode, .refused, "exit code")
                return
            }
            let content = try StickerPackReader(folder).content()
            let stickers = content.stickers
            requireSame(Set(stickers.map(\.id)).count, stickers.count, "identifiers of stickers")
            for file in stickers.map(\.file) + [content.cover].compactMap({ $0 }) {
                require(!file.hasPrefix("/") && file != "link.png", "the file '\(file)'")
                requireSame(try folder.openFile(file).status().kind, .file, "the file '\(file)'")
            }
        }
    }

    /// Checks the settings file of the user.
    @Sendable static func settings(_ bytes: [UInt8]) throws {
        try Workspace.withFolder { folder in
            let places = try HomePaths.alone(in: folder.path)
            try folder.makeDirectory("config")
            try folder.createFile("config/settings.json").write(Data(bytes))
            let load = { try waiting { try await Settings.load(places: places, environment: [:]) } }
            let first = verdict(load)
            requireSame(first, verdict(load), "two readings")
            guard case .accepted(let settings) = first else { return }
            for key in SettingKey.all { require(key.rule.allows(settings[key]), "the value of \(key)") }
            // Setting one key keeps the others.
            let file = SettingsFile(path: places.userSettings)
            _ = try waiting { try await file.set(.downloadsAttempts, to: "7") }
            let after = try load()
            for key in SettingKey.all {
                requireSame(after[key], key == .downloadsAttempts ? .integer(7) : settings[key], "\(key)")
            }
        }
    }

    /// Checks the list of stores, which users may edit.
    @Sendable static func storeList(_ bytes: [UInt8]) throws {
        try Workspace.withFolder { folder in
            try folder.createFile("stores.json").write(Data(bytes))
            let file = StoreConfigurationFile(directory: folder)
            guard case .accepted(let stores) = verdict({ try file.read() }) else { return }
            for store in stores { require(!store.name.contains("/") && store.name != "..", "name \(store.name)") }
            try file.prepareReplacement(with: stores).commit()
            requireSame(try file.read(), stores, "the list that is written again")
        }
    }
}

/// The result of decoding a document, which must be the same for the same bytes.
enum Verdict<Value: Equatable>: Equatable {
    case accepted(Value)
    case refused(String)
}

/// Runs code that may refuse a document; a refusal must have a code of the project.
func verdict<Value>(_ body: () throws -> Value) -> Verdict<Value> {
    do {
        return .accepted(try body())
    } catch let error as any CodedError {
        require(error.code != .unexpected && !error.message.isEmpty, "the error \(error)")
        return .refused(error.code.rawValue)
    } catch {
        fatalError("an error without a code: \(error)")
    }
}

/// Checks that a value, if the bytes encode one, survives encoding and decoding.
func requireStable<Value: Codable>(_ type: Value.Type, _ data: Data) throws {
    guard let value = try? JSON.decode(type, from: data) else { return }
    try requireStable(value)
}

/// Compares the encoded forms, because some equal values have different encodings.
func requireStable<Value: Codable>(_ value: Value) throws {
    let written = try JSON.encode(value)
    let again = try JSON.encode(try JSON.decode(Value.self, from: written))
    requireSame(
        String(decoding: again, as: UTF8.self), String(decoding: written, as: UTF8.self), "what is written again")
}
