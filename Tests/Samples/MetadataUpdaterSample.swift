import Foundation
import StoreSystem
import StoreTrust

private func metadataUpdaterSample(
    directory: Directory, fetch: @escaping @Sendable (_ url: String, _ limit: Int) async throws -> Data?
) async throws -> Int {
    // sample
    let updater = MetadataUpdater(in: MetadataDirectory(directory)) { request in
        try await fetch("https://store.example/metadata/" + request.remoteName, request.limit)
    }
    let metadata = try await updater.update(at: Date())
    let file = try await updater.file("catalogue.json", in: metadata)
    // end
    return file.length
}
