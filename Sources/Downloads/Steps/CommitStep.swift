import StoreLibrary
import StoreModel

/// Commits a staged pack with its receipt, in one atomic step of the library.
struct CommitStep: Sendable {
    let environment: StepEnvironment
    let request: DownloadRequest

    /// Commits the pack; a commit that has begun is not cancelled.
    func run(_ fetched: FetchedArchive, _ content: StagedContent) async throws -> LibraryPack {
        let product = request.product
        let receipt = Receipt(
            operation: request.operation, store: request.store, productIdentifier: product.productIdentifier,
            kind: product.kind, name: product.productName, version: product.version, price: product.productPrice,
            installedAt: environment.clock.date(), dependencies: product.dependencies,
            permissions: content.permissions.isEmpty ? nil : content.permissions.sorted(),
            archive: fetched.archive, files: content.files)
        return try await environment.library.commit(content.staged, receipt: receipt)
    }
}
