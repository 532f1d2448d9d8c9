import Foundation
import Logging
import StoreEngine

let product = CommandLine.arguments.dropFirst().first ?? "org.example.cups"
do {
    let manager = try await StoreManager.open(homeDirectory: "chat-home", log: Logger(label: "chat"))
    try await manager.stores.add(name: "cups", url: URL(string: "https://store.example/")!, unsigned: true)
    observing: for try await observation in manager.observers.observations(.product(product)) {
        switch observation {
        case .snapshot:
            // Installs the product, or joins the download that installs it already.
            if try await manager.installs.install(product, store: nil).pack != nil { break observing }
        case .event(let event):
            guard case .download(let status) = event.happening else { continue }
            print(status.state.rawValue, status.fraction.map { "\(Int($0 * 100)) %" } ?? "")
            if let error = status.error { throw error }
            if status.state.isEnd { break observing }
        }
    }
    print("Installed in", try await manager.packs.pack(product).path)
    await manager.close()
} catch let error as any CodedError {
    print("error:", error.message)
    exit(error.code.exitCode.rawValue)
}
