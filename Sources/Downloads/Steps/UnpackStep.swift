import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem

/// Unpacks a fetched archive into staging, and checks the content.
///
/// When the Swift task is cancelled, unpacking stops at once; what it has left in staging is removed by
/// ``StepEnvironment/removeStaging(of:)``.
struct UnpackStep: Sendable {
    let environment: StepEnvironment
    let request: DownloadRequest
    let settings: DownloadSettings

    /// Unpacks an archive.
    ///
    /// - Parameter ticket: The position among downloads that wait to unpack.
    func run(_ fetched: FetchedArchive, ticket: Ticket) async throws -> StagedContent {
        try await environment.unpackSlots.acquire(ticket)
        defer { environment.unpackSlots.release(ticket.number) }
        let (library, product) = (environment.library, request.product)
        let staged = try await library.stage(
            request.operation, productIdentifier: product.productIdentifier, kind: product.kind,
            keepingReplaced: request.action != .repair)
        let report = try await fill(staged, from: fetched.content)
        let permissions: Set<Permission>
        do {
            permissions = try await library.check(
                staged, of: product.productIdentifier, kind: product.kind, consent: request.consent)
        } catch let error as StoreError where error.code.exitCode == .refused && error.permissions.isEmpty {
            let content = "the content of '\(product.productIdentifier)' (\(request.resource.url.absoluteString))"
            throw StoreError(.contentRefused, ["content": content], cause: error)
        }
        try await requireLibrarySpace(for: report.size)
        return StagedContent(staged: staged, files: report.files, permissions: permissions)
    }

    private func fill(_ staged: StagedPack, from content: FetchedArchive.Content) async throws -> UnpackReport {
        if case .parts(_, let plan) = content {
            try await environment.library.takeOver(
                plan.present.map { ($0.source, $0.file) }, of: request.product.productIdentifier, into: staged)
        }
        let (unpacking, limits) = (environment.unpacking, settings.archives)
        return try await environment.blockingWork.runCancellable { cancellation in
            do {
                switch content {
                case .whole(let file):
                    return try unpacking.unpack(
                        file, into: staged.directory, limits: limits, cancellation: cancellation)
                case .parts(let file, let plan):
                    try unpacking.unpack(plan.parts, of: file, into: staged.directory, cancellation: cancellation)
                    return UnpackReport(files: plan.files)
                }
            } catch let error as StoreError where error.isArchiveRejection {
                throw error.replacing("archive", with: request.resource.url)
            }
        }
    }

    /// Checks the user's limit for the size of the library.
    private func requireLibrarySpace(for size: Int) async throws {
        guard let limit = settings.librarySize else { return }
        let product = request.product.productIdentifier
        let others = try await environment.library.all().filter { $0.productIdentifier != product }
        let total = others.reduce(size) { $0 + $1.size }
        guard total > limit else { return }
        throw StoreError(
            .libraryTooLarge, ["product": product, "size": .bytes(total), "limit": .bytes(limit)])
    }
}
