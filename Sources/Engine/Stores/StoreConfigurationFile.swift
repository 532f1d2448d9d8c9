import FoundationEssentials
import StoreModel
import StoreSystem

/// The file `stores.json` in the configuration directory, which lists the stores that the user added.
///
/// The list is not in the database, so that it survives the loss of the database and people can read it.
struct StoreConfigurationFile {
    let directory: Directory
    static let name = "stores.json"

    private struct Content: Codable {
        var stores: [StoreConfiguration]
    }

    /// Reads the list of the stores that the user added; a file that does not exist is an empty list.
    ///
    /// - Throws: `store.malformed-list` if the file is not valid; it is left unchanged.
    func read() throws -> [StoreConfiguration] {
        guard try directory.status(of: Self.name) != nil else { return [] }
        let data = try directory.read(Self.name)
        let stores: [StoreConfiguration]
        do {
            stores = try JSON.decode(Content.self, from: data).stores
        } catch {
            throw StoreError(
                .storeListNotJSON,
                [
                    "path": .path(directory.path(of: Self.name)),
                    "reason": JSON.mistake(error, in: data),
                ])
        }
        do {
            var names: Set<String> = []
            for store in stores {
                // People may edit the file, and the name of a store becomes the name of a directory in the cache.
                _ = try StoreConfiguration.checked(
                    name: store.name, url: store.url, unsigned: store.unsigned, priority: store.priority)
                guard names.insert(store.name).inserted else {
                    throw StoreError(.storeListedTwice, ["store": store.name])
                }
            }
            return stores
        } catch {
            throw StoreError(
                .storeListUnreadable, ["path": .path(directory.path(of: Self.name))], cause: error)
        }
    }

    /// Prepares the replacement of the list of stores.
    func prepareReplacement(with stores: [StoreConfiguration]) throws -> FileReplacement {
        try directory.prepareReplacement(
            of: Self.name, with: try JSON.encode(Content(stores: stores), pretty: true))
    }
}
