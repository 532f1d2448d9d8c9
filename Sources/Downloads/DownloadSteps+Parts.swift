import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// What has to come of an archive where most of the version is on this machine: a repair of a few files.
extension DownloadSteps {
    /// Of an entry table, in bytes: that of 100,000 files has about 20 MB.
    private static let tableLimit = 32 << 20

    /// Finds out which parts of the archive have to come; `nil` where it has to be the whole.
    ///
    /// - Parameter mayFetch: whether anything may come at all; else there is a plan only where nothing has to.
    /// - Throws: what a later attempt may be spared: that the network fails where the table is to come from, that the
    ///   disk does.
    func planParts(
        of request: DownloadRequest, _ manner: Manner, mayFetch: Bool
    ) async throws -> PartialArchive? {
        guard request.action == .repair, let sha256 = request.resource.sha256,
            let check = try? await library.inspect(request.product.productIdentifier), let receipt = check.receipt,
            receipt.archive.sha256 == sha256
        else { return nil }
        let (wanted, here) = (receipt.files, check.whole)
        if let plan = FetchPlan(wanted: wanted, here: here) {
            return try await openParts(plan, receipt.archive, tableSize: 0, request)
        }
        guard mayFetch, let size = request.resource.size, let reference = request.product.entryTable,
            let (table, tableSize) = try await entryTable(reference, of: request, manner),
            let plan = FetchPlan(wanted: wanted, here: here, table: table, archiveSize: size)
        else { return nil }
        return try await openParts(plan, receipt.archive, tableSize: tableSize, request)
    }

    private func openParts(
        _ plan: FetchPlan, _ archive: Receipt.Archive, tableSize: Int, _ request: DownloadRequest
    ) async throws -> PartialArchive {
        let files = plan.files.reduce(0) { $0 + $1.size }
        try await requireSpace(files + plan.size, for: request)
        let name = partsName(request.operation)
        let file = try await work.run { [partial] in
            try partial.removeTree(name)
            return try partial.createFile(name, mode: 0o600)
        }
        return PartialArchive(file: file, plan: plan, archive: archive, before: tableSize)
    }

    /// `nil` where it can't be had, or is not what the catalogue says: then it is as if there were none.
    private func entryTable(
        _ reference: ContentReference, of request: DownloadRequest, _ manner: Manner
    ) async throws -> (table: EntryTable, size: Int)? {
        guard let sha256 = reference.sha256 else { return nil }
        var transfer = transferRequest(reference.url, for: request, manner)
        transfer.sizeLimit = min(reference.size ?? Self.tableLimit, Self.tableLimit)
        do {
            let (response, body) = try await transfers.fetch(transfer)
            try response.requireSuccess()
            guard SHA256Digest(of: body) == sha256, let table = try? JSON.decode(EntryTable.self, from: body),
                table.format == 1
            else { return nil }
            return (table, body.count)
        } catch let error as TransferError where !error.isTransient {
            return nil
        }
    }

    /// Fetches what is missing of the parts, one range after another on one connection, and proves each file.
    ///
    /// - Returns: `nil` where the server does not send parts, or sends others than it should: then the whole archive has
    ///   to come.
    func fetch(
        _ parts: PartialArchive, of request: DownloadRequest, from sources: inout SourceList, _ manner: Manner,
        told: @escaping Told
    ) async throws -> Downloaded? {
        told(parts.progress.received, parts.progress.expected, request.resource.url)
        do {
            try await transfers.asking(&sources) { url in
                let transfer = transferRequest(url, for: request, manner)
                while let range = parts.next {
                    try await transfers.fetch(range, of: transfer, size: parts.archive.size, into: parts.file) {
                        parts.received($0.received, of: range)
                        told(parts.progress.received, parts.progress.expected, url)
                    }
                }
            }
            try await work.runCancellable { [unpacking] in
                try unpacking.unpack(parts.plan.parts, of: parts.file, into: nil, cancellation: $0)
            }
        } catch let error as TransferError where !error.isTransient {
            return nil
        } catch let error as StoreError where error.isArchiveRejection {
            return nil
        }
        return Downloaded(
            content: .parts(parts.file, parts.plan), archive: parts.archive, size: parts.progress.expected)
    }
}
