import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem

/// The step of a download that unpacks the archive into staging, checks the content, and writes the receipt.
///
/// Staging is the directory in which packs are prepared; the receipt is the file that describes a pack. The commit,
/// which moves the pack to its final location, is the next step. When the Swift task is cancelled, unpacking stops
/// before the next file or mebibyte; ``StepEnvironment/removeFiles(of:)`` or ``StepEnvironment/removeStaging(of:)``
/// then removes what is in staging.
struct UnpackStep: Sendable {
    let environment: StepEnvironment
    let request: DownloadRequest
    let settings: DownloadSettings

    /// Unpacks an archive and prepares the pack for its commit, the move to its final location.
    ///
    /// - Parameter ticket: the position among downloads that wait to unpack.
    /// - Throws: an error of the archive or its content; `consent.needed`; a conflict with an installed pack;
    ///   `space.library-limit`; `CancellationError`.
    func run(_ fetched: FetchedArchive, ticket: Ticket) async throws -> PreparedPack {
        try await environment.unpackSlots.acquire(ticket)
        defer { environment.unpackSlots.release(ticket.number) }
        let product = request.product
        let placement = try await environment.library.placement(
            of: product.productIdentifier, kind: product.kind, by: request.operation, consent: request.consent,
            keepingReplaced: request.action != .repair)
        // One piece of blocking work: between its parts nothing has to wait for another thread.
        let prepared = try await environment.blockingWork.runCancellable {
            try prepare(fetched, in: placement, cancellation: $0)
        }
        try await environment.librarySpace.claim(
            prepared.receipt.size, for: request, limit: settings.librarySize)
        return prepared
    }

    private func prepare(
        _ fetched: FetchedArchive, in placement: PackPlacement, cancellation: CancellationFlag
    ) throws -> PreparedPack {
        let staged = try placement.stage()
        let files = try fill(staged, from: fetched.content, cancellation)
        let permissions = try check(staged, cancellation)
        let product = request.product
        return try staged.addReceipt(
            Receipt(
                operation: request.operation, store: request.store, productIdentifier: product.productIdentifier,
                kind: product.kind, name: product.productName, version: product.version, price: product.productPrice,
                installedAt: environment.clock.date(), asDependency: request.asDependency ?? false,
                dependencies: product.dependencies,
                permissions: permissions.isEmpty ? nil : permissions.sorted(), archive: fetched.archive, files: files))
    }

    private func fill(
        _ staged: StagedPack, from content: FetchedArchive.Content, _ cancellation: CancellationFlag
    ) throws -> [Receipt.File] {
        do {
            switch content {
            case .whole(let file):
                var limits = settings.archives
                limits.hiddenEntries = request.store == Receipt.localFiles ? .leftOut : .refused
                return try environment.unpacking.unpack(
                    file, into: staged.directory, limits: limits, cancellation: cancellation
                ).files
            case .parts(let file, let plan):
                try environment.unpacking.unpack(
                    plan.parts, of: file, into: staged.directory, cancellation: cancellation)
                // Afterwards, so that a process that unpacks has no file of the installed version in its directory.
                try staged.takeOver(plan.present.map { ($0.source, $0.file) }, cancellation: cancellation)
                return plan.files
            }
        } catch let error as StoreError where error.isArchiveRejection {
            throw error.replacing("archive", with: request.resource.url)
        }
    }

    private func check(_ staged: StagedPack, _ cancellation: CancellationFlag) throws -> Set<Permission> {
        do {
            return try staged.check(by: environment.checking, cancellation: cancellation)
        } catch let error as StoreError where error.code.exitCode == .refused && error.permissions.isEmpty {
            let product = request.product.productIdentifier
            let content = "the content of '\(product)' (\(request.resource.url.absoluteString))"
            throw StoreError(.contentRefused, ["content": content], cause: error)
        }
    }
}
