import Foundation
import Logging
import StoreEngine
import StoreModel

private func storeManagerSample(places: HomePaths, url: URL) async throws {
    // sample
    let manager = try await StoreManager.open(places: places, log: Logger(label: "example"))
    _ = try await manager.stores.add(name: "example", url: url, unsigned: true, priority: 0)
    let installation = try await manager.installs.install("org.example.cups", store: nil)
    if let download = installation.download { print("operation", download.operation) }
    for try await packs in manager.observers.packs() {
        print(packs.map(\.name))
        if packs.contains(where: { $0.productIdentifier == "org.example.cups" }) { break }
    }
    await manager.close()
    // end
}
