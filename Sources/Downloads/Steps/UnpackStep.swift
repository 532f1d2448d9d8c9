import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem

/// The step of a download that unpacks the archive into staging, checks the content, and writes the receipt.
///
/// Staging is the directory in which packs are prepared; the receipt is the file that describes a pack. The commit,
/// which moves the pack to its final location, is the next step. Small packs may be prepared in a batch, which is unpacked and
/// checked in memory: of these nothing is in staging before all have passed. When the Swift task is cancelled, unpacking stops
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
    ///
    /// The kind must be one whose packs can be checked in memory.
    var group: UnpackGroup? {
        guard fetched.size <= UnpackGroup.sizeLimit, case .whole = fetched.content, filesSHA256 != nil,
            request.store != Receipt.localFiles, request.action != .repair,
            environment.library.canCheckInMemory(request.product.kind), environment.unpacking.sharesProcesses
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

    /// Prepares the pack of this step alone; blocks.
    ///
    /// - Throws: as ``run(ticket:)``.
    func prepare(in place: PackPlacement, cancellation: CancellationFlag) throws -> PreparedPack {
        let pack = try place.stage()
        let files = try fill(pack, cancellation)
        try requireStated(files)
        let permissions = try namingContent {
            try pack.check(by: environment.checking, cancellation: cancellation)
        }
        return try pack.addReceipt(receipt(files, permissions))
    }

    /// Prepares the packs of several steps of the same ``group``, of which no file is written before all were checked; blocks.
    ///
    /// If their files are too large together, halves of them are prepared.
    ///
    /// - Parameter places: the place for the pack of each step.
    /// - Throws: the error of the first step that fails, which does not name the pack: each is then prepared alone. The packs of the
    ///   other steps may be incomplete.
    static func prepareBatch(
        _ steps: ArraySlice<UnpackStep>, in places: ArraySlice<PackPlacement>, cancellation: CancellationFlag
    ) throws -> [PreparedPack] {
        guard let first = steps.first, let place = places.first else { return [] }
        guard steps.count > 1 else { return [try first.prepare(in: place, cancellation: cancellation)] }
        let archives = try steps.map { step in
            guard case .whole(let archive) = step.fetched.content else {
                throw StoreError(.unexpectedError, ["error": "only parts of the archive were fetched"])
            }
            return archive
        }
        let unpacked: UnpackedPacks
        do {
            unpacked = try first.environment.unpacking.unpackInMemory(
                archives, limits: first.archiveLimits, cancellation: cancellation)
        } catch let error as StoreError where error.code == .archiveTooLarge {
            let half = steps.count / 2
            return try prepareBatch(steps.prefix(half), in: places.prefix(half), cancellation: cancellation)
                + prepareBatch(steps.dropFirst(half), in: places.dropFirst(half), cancellation: cancellation)
        }
        for (step, report) in zip(steps, unpacked.reports) { try step.requireStated(report.files) }
        let permissions = try PackPlacement.check(
            unpacked.contents, for: Array(places), by: first.environment.checking, cancellation: cancellation)
        let packs = try PackPlacement.stage(Array(places))
        return try zip(steps, packs).enumerated().map { number, one in
            let (step, pack) = one
            try pack.write(unpacked.contents.trees[number], cancellation: cancellation)
            return try pack.addReceipt(step.receipt(unpacked.reports[number].files, permissions[number]))
        }
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

    /// Wraps an error of the pack's content in one that names the product and the URL.
    private func namingContent<Value>(_ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch let error as StoreError where error.code.exitCode == .refused && error.permissions.isEmpty {
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
