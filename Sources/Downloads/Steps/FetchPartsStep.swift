import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// A step of a repair or an update that fetches only the parts of an archive whose files the installed pack lacks.
struct FetchPartsStep: Sendable {
    let fetch: FetchStep

    private var environment: StepEnvironment { fetch.environment }
    private var request: DownloadRequest { fetch.request }

    // MARK: Planning

    /// Decides which parts of the archive have to be fetched; `nil` if it is the whole archive.
    ///
    /// - Parameter mayFetch: whether anything may be fetched; otherwise there is a plan only if nothing has to be.
    /// - Throws: an error that ends this attempt: the entry table could not be fetched because of the network, there is
    ///   too little disk space, or the disk failed.
    func plan(mayFetch: Bool) async throws -> PartialArchive? {
        switch request.action {
        case .repair: try await planRepair(mayFetch: mayFetch)
        case .update: mayFetch ? try await planUpdate() : nil
        default: nil
        }
    }

    private func planRepair(mayFetch: Bool) async throws -> PartialArchive? {
        guard let sha256 = request.resource.sha256,
            let check = try? await environment.library.inspect(request.product.productIdentifier),
            let receipt = check.receipt, receipt.archive.sha256 == sha256
        else { return nil }
        let (wanted, present) = (receipt.files, check.whole)
        if let plan = FetchPlan(wanted: wanted, present: present) {
            return try await begin(plan, receipt.archive, entryTableSize: 0)
        }
        guard mayFetch, let size = request.resource.size, let reference = request.product.entryTable,
            let (table, tableSize) = try await fetchEntryTable(reference),
            let plan = FetchPlan(wanted: wanted, present: present, table: table, archiveSize: size)
        else { return nil }
        return try await begin(plan, receipt.archive, entryTableSize: tableSize)
    }

    /// Plans an update: files of the new version that the installed pack has, under any name, are not fetched.
    private func planUpdate() async throws -> PartialArchive? {
        guard request.mayFetchParts, let sha256 = request.resource.sha256, let size = request.resource.size,
            size <= fetch.settings.archiveSize ?? .max, let reference = request.product.entryTable,
            let (table, tableSize) = try await fetchTableOfUpdate(reference),
            let files = table.packFiles(limits: fetch.settings.archives, archiveSize: size),
            let check = try? await environment.library.inspect(request.product.productIdentifier), check.receipt != nil,
            let plan = FetchPlan(
                wanted: files.map { Receipt.File(path: $0.path, size: $0.entry.size, sha256: $0.entry.sha256) },
                present: check.whole, table: table, archiveSize: size, requestCost: FetchPlan.updateRequestCost)
        else { return nil }
        // An earlier process may have fetched most of the archive.
        let bytesOnDisk = await environment.partials.bytesOnDisk(of: request.operation)
        guard plan.size < size - bytesOnDisk else { return nil }
        try await environment.librarySpace.require(
            files.lazy.map(\.entry.size).checkedSum ?? .max, for: request, limit: fetch.settings.librarySize)
        let archive = Receipt.Archive(address: request.resource.address, size: size, sha256: sha256, etag: nil)
        return try await begin(plan, archive, entryTableSize: tableSize)
    }

    /// Fetches the entry table of an update; if it can't be fetched, its server, or another one, may have the archive.
    private func fetchTableOfUpdate(_ reference: ContentReference) async throws -> (table: EntryTable, size: Int)? {
        do {
            return try await fetchEntryTable(reference)
        } catch let error as StoreError where error.isTransferFailure && !error.lacksNetwork {
            return nil
        }
    }

    private func begin(
        _ plan: FetchPlan, _ archive: Receipt.Archive, entryTableSize: Int
    ) async throws -> PartialArchive {
        let needed = (plan.files.map(\.size) + [plan.size]).checkedSum ?? .max
        try await environment.requireSpace(needed, for: request.product.productIdentifier)
        let file = try await environment.partials.createPartsFile(request.operation)
        return PartialArchive(file: file, plan: plan, archive: archive, entryTableSize: entryTableSize)
    }

    /// Fetches the entry table, the list of the archive's files with offset, sizes and hash, from the store or a mirror.
    ///
    /// The result is `nil` if the server has none, or if its content is not what the catalogue says; also if none of
    /// several servers delivers it, because one of them may deliver the whole archive.
    ///
    /// - Throws: a transfer error after which another attempt may succeed; `CancellationError`.
    func fetchEntryTable(_ reference: ContentReference) async throws -> (table: EntryTable, size: Int)? {
        guard let sha256 = reference.sha256 else { return nil }
        let copies = request.product.copies(of: reference)
        var sources = MirrorList(reference.url, mirrors: copies)
        let maximumSize = fetch.settings.archives.entryTableSize
        do {
            let body = try await environment.transfers.withFailover(&sources) { url in
                var transfer = fetch.transferRequest(url)
                transfer.sizeLimit = min(reference.size ?? maximumSize, maximumSize)
                let (response, body) = try await environment.transfers.fetch(transfer)
                try response.requireSuccess()
                return body
            }
            guard SHA256Digest(of: body) == sha256, let table = try? JSON.read(EntryTable.self, from: body),
                table.format == 1
            else { return nil }
            return (table, body.count)
        } catch let error as StoreError
            where error.isTransferFailure && (!error.isTransient || (!copies.isEmpty && !error.lacksNetwork))
        {
            return nil
        }
    }

    // MARK: Fetching

    /// Fetches the missing ranges of the archive, one after another, and verifies each file in them.
    ///
    /// - Parameters:
    ///   - parts: the ranges to fetch, and those that earlier attempts have fetched.
    ///   - sources: the URLs of the archive, with what was learned of them.
    /// - Returns: `nil` if a server does not send ranges, or sends wrong ones, and no other server delivers them, so that
    ///   the whole archive has to be fetched.
    /// - Throws: a transfer error after which another attempt may succeed; an error of the disk; `CancellationError`.
    func run(
        _ parts: PartialArchive, from sources: inout MirrorList, progress: @escaping FetchStep.ProgressHandler
    ) async throws -> FetchedArchive? {
        let throttle = ProgressThrottle()
        progress(parts.progress.received, parts.progress.expected, request.resource.url)
        do {
            try await environment.transfers.withFailover(&sources) { url in
                let transfer = fetch.transferRequest(url)
                while let range = parts.next {
                    try await environment.transfers.fetch(
                        range, of: transfer, size: parts.archive.size, into: parts.file
                    ) {
                        parts.record($0.received, of: range)
                        guard throttle.permitsReport() else { return }
                        progress(parts.progress.received, parts.progress.expected, url)
                    }
                }
            }
            try await verify(parts)
        } catch let error as StoreError
            where error.isTransferFailure && (!error.isTransient || sources.hasExcluded)
        {
            // A server that sends no ranges may have the whole archive, while the one that would send them is down.
            return nil
        } catch let error as StoreError where error.isArchiveRejection {
            return nil
        }
        return FetchedArchive(
            content: .parts(parts.file, parts.plan), archive: parts.archive, size: parts.progress.expected)
    }

    /// Verifies the bytes of each fetched file and then inflates them once, so that only verified content counts as
    /// downloaded.
    ///
    /// - Throws: an error of the archive if a file is not what the entry table says; `CancellationError`.
    private func verify(_ parts: PartialArchive) async throws {
        try await environment.blockingWork.runCancellable { [unpacking = environment.unpacking] in
            try unpacking.unpack(parts.plan.parts, of: parts.file, into: nil, cancellation: $0)
        }
    }
}
