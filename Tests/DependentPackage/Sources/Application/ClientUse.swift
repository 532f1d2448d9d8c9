import Events
import Library
import Settings
import StoreClient

/// Installs a product through the daemon, and imports only `StoreClient` from this project.
func installThroughDaemon(_ settings: Settings) async throws -> (Shelf, EventCounter) {
    var (shelf, counter) = (Shelf(), EventCounter())
    let client = try StoreClient()
    let pack: InstalledPack = try await client.install(settings.product).finished { status in
        print(status.state.rawValue, status.fraction ?? 0)
    }
    shelf.packs.append(pack.path)
    counter.count += 1
    return (shelf, counter)
}
