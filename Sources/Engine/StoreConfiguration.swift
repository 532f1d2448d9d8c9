import FoundationEssentials
import StoreModel
import StoreSystem

/// A store as the user added it.
struct StoreConfiguration: Sendable, Hashable, Codable {
    var name: String
    var url: URL
    var unsigned: Bool
    var priority: Int
    /// Whether user and password come from the user's `.netrc`.
    var netrc: Bool?

    /// Where packs come from that were installed out of a file; no store can have the name.
    static let localFiles = "local"

    /// - Throws: `store.bad-name`, `store.bad-address`.
    static func checked(name: String, url: URL, unsigned: Bool, priority: Int) throws(EngineError) -> StoreConfiguration
    {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
        guard !name.isEmpty, name.count <= 64, name.allSatisfy(allowed.contains), !name.hasPrefix("."),
            !name.hasPrefix("-"),
            name != localFiles
        else {
            throw EngineError(
                .storeBadName,
                "'\(name)' can't be the name of a store. Use up to 64 letters, digits, '.', '_' and '-', "
                    + "not beginning with '.' or '-', and not '\(localFiles)'.")
        }
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw EngineError(
                .storeBadAddress,
                "'\(url.absoluteString)' is not the address of a store. It begins with https:, http: or file:.")
        }
        return StoreConfiguration(name: name, url: url, unsigned: unsigned, priority: priority)
    }
}

/// The list of stores on the disk: `stores.json` beside the settings, so that it outlives the database and people can
/// read it.
struct StoreConfigurationFile {
    let folder: Directory
    static let name = "stores.json"

    private struct Content: Codable {
        var stores: [StoreConfiguration]
    }

    /// - Throws: `store.malformed-list` where the file is not as this program wrote it; it is left as it is.
    func read() throws -> [StoreConfiguration] {
        guard try folder.status(of: Self.name) != nil else { return [] }
        let data = try folder.read(Self.name)
        do {
            let stores = try JSON.decode(Content.self, from: data).stores
            var names: Set<String> = []
            for store in stores {
                // People may write it too; a name is that of a folder in the cache.
                _ = try StoreConfiguration.checked(
                    name: store.name, url: store.url, unsigned: store.unsigned, priority: store.priority)
                guard names.insert(store.name).inserted else {
                    throw EngineError(.storesMalformed, "the store '\(store.name)' is in it twice.")
                }
            }
            return stores
        } catch {
            throw EngineError(
                .storesMalformed,
                "The list of stores '\(folder.path(of: Self.name))' can't be read: "
                    + "\((error as? EngineError)?.message ?? "\(error)") Mend it or move it away.")
        }
    }

    func write(_ stores: [StoreConfiguration]) throws {
        try folder.replace(Self.name, with: try JSON.encode(Content(stores: stores), pretty: true))
    }
}
