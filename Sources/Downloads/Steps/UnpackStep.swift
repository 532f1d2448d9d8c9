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
    let fetched: FetchedArchive

    /// Unpacks the archive and prepares the pack for its commit, the move to its final location.
    ///
    /// - Parameter ticket: the position among downloads that wait to unpack.
    /// - Throws: an error of the archive or its content; `content.hash-mismatch` if the files are not those that the
    ///   store lists; `consent.needed`; a conflict with an installed pack; `space.library-limit`; `CancellationError`.
    func run(ticket: Ticket) async throws -> PreparedPack {
        let prepared = try await environment.unpackQueue.run(self, ticket)
        try await environment.librarySpace.claim(
            prepared.receipt.size, for: request, limit: settings.librarySize)
        return prepared
    }

    /// The group in which the pack may be prepared with others; `nil` if it has to be prepared alone.
    ///
    /// An archive that takes over a process which unpacks several can have it write wrong files for the others. So the store
    /// must state the hash of the pack's files, to which they are compared. A pack that takes over a process which checks several
    /// could have it report that another one keeps the rules although it does not. That gives the publisher of the other one nothing
    /// new: the process reads that pack with the same code, so that it could take the process over itself.
    var group: UnpackGroup? {
        guard fetched.size <= UnpackGroup.sizeLimit, case .whole = fetched.content, filesSHA256 != nil,
            request.store != Receipt.localFiles, request.action != .repair, environment.unpacking.sharesProcesses
        else { return nil }
        return UnpackGroup(kind: request.product.kind, limits: settings.archives)
    }

    /// The hash that the store states of the files in this archive; `nil` if there is none.
    private var filesSHA256: SHA256Digest? {
        request.resource == request.product.resource ? request.product.filesSHA256 : nil
    }

    /// Returns the place for the pack in the library.
    func placement() async throws -> PackPlacement {
        let product = request.product
        return try await environment.library.placement(
            of: product.productIdentifier, kind: product.kind, by: request.operation, consent: request.consent,
            keepingReplaced: request.action != .repair)
    }

    /// Prepares the packs of one step, or of several of the same ``group``; blocks.
    ///
    /// - Parameter places: the place for the pack of each step.
    /// - Throws: the error of the first step that fails; the packs of the other steps may be incomplete then.
    static func prepare(
        _ steps: [UnpackStep], in places: [PackPlacement], cancellation: CancellationFlag
    ) throws -> [PreparedPack] {
        let packs = try PackPlacement.stage(places)
        let files = try fill(packs, by: steps, cancellation)
        for (step, files) in zip(steps, files) { try step.requireStated(files) }
        let permissions = try check(packs, of: steps, cancellation)
        return try steps.indices.map { number in
            try packs[number].addReceipt(steps[number].receipt(files[number], permissions[number]))
        }
    }

    /// Fills staged packs with their files, and returns the lists of them.
    private static func fill(
        _ packs: [StagedPack], by steps: [UnpackStep], _ cancellation: CancellationFlag
    ) throws -> [[Receipt.File]] {
        guard steps.count > 1 else { return [try steps[0].fill(packs[0], cancellation)] }
        let archives = try zip(steps, packs).map { step, pack in
            guard case .whole(let archive) = step.fetched.content else {
                throw StoreError(.unexpectedError, ["error": "only parts of the archive were fetched"])
            }
            return (archive: archive, directory: pack.directory)
        }
        return try steps[0].environment.unpacking.unpack(
            archives, limits: steps[0].archiveLimits, cancellation: cancellation
        ).map(\.files)
    }

    private func fill(_ staged: StagedPack, _ cancellation: CancellationFlag) throws -> [Receipt.File] {
        do {
            switch fetched.content {
            case .whole(let file):
                return try environment.unpacking.unpack(
                    file, into: staged.directory, limits: archiveLimits, cancellation: cancellation
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

    private var archiveLimits: ArchiveLimits {
        var limits = settings.archives
        limits.hiddenEntries = request.store == Receipt.localFiles ? .leftOut : .refused
        return limits
    }

    private func requireStated(_ files: [Receipt.File]) throws {
        guard let filesSHA256, SHA256Digest(ofFiles: files) != filesSHA256 else { return }
        throw StoreError(
            .packFilesMismatch,
            ["product": .untrusted(request.product.productIdentifier), "store": .untrusted(request.store)])
    }

    private static func check(
        _ packs: [StagedPack], of steps: [UnpackStep], _ cancellation: CancellationFlag
    ) throws -> [Set<Permission>] {
        do {
            return try StagedPack.check(packs, by: steps[0].environment.checking, cancellation: cancellation)
        } catch let error as StoreError where error.code.exitCode == .refused && error.permissions.isEmpty {
            let request = steps[0].request
            let product = request.product.productIdentifier
            let content = "the content of '\(product)' (\(request.resource.url.absoluteString))"
            throw StoreError(.contentRefused, ["content": content], cause: error)
        }
    }

    private func receipt(_ files: [Receipt.File], _ permissions: Set<Permission>) -> Receipt {
        let product = request.product
        return Receipt(
            operation: request.operation, store: request.store, productIdentifier: product.productIdentifier,
            kind: product.kind, name: product.productName, version: product.version, price: product.productPrice,
            installedAt: environment.clock.date(), asDependency: request.asDependency ?? false,
            dependencies: product.dependencies,
            permissions: permissions.isEmpty ? nil : permissions.sorted(), archive: fetched.archive, files: files)
    }
}
