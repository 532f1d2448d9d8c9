import StoreDownloads
import StoreModel

private func downloadsManagerSample(
    downloads: DownloadsManager, product: ProductItem, resource: ContentReference
) async throws {
    // sample
    let request = DownloadRequest(
        operation: OperationID(), action: .install, store: "example", product: product, resource: resource)
    if let installation = try await downloads.start(request) {
        print("downloading, operation", installation.operation?.rawValue ?? "none")
    }
    _ = try await downloads.change(product.productIdentifier, paused: true)
    // end
}
