import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel

/// What was queued when the daemon ended comes back while others are answered. Who asks for anything about downloads
/// waits until all are there, so that nothing overtakes them, and a request for one of them joins it.
extension DownloadsManager {
    /// Goes on with what ran when the daemon ended, in the order begun. One whose pack took its place in the last
    /// moment is ended. Returns when it is known what there is; the rest goes on meanwhile, see ``broughtBack()``.
    ///
    /// - Throws: what the database says.
    public func resume() async throws {
        let unfinished = try await database.runningOperations()
            .filter { [.install, .update, .repair].contains($0.record.action) }
        bringingBack = Task { await bringBack(unfinished) }
    }

    /// Returns when all that ``resume()`` found is there again.
    public func broughtBack() async { await bringingBack?.value }

    private func bringBack(_ unfinished: [(record: OperationRecord, plan: Data)]) async {
        var resumed: [(task: DownloadTask, startedAt: Date)] = []
        let placed = await placedPacks(hasUnfinished: !unfinished.isEmpty)
        for (record, plan) in unfinished {
            // What is not brought back now is by the next start.
            guard !isClosing else { return }
            if let pack = placed[record.operation] {
                await note(record, .finished, pack: pack)
                await installed(pack, record.action)
                tellEnd(of: record, as: .finished, kind: pack.kind, size: pack.origin?.archive.size)
                announce(pack, record.action)
            } else if let request = try? JSON.decode(DownloadRequest.self, from: plan) {
                if let task = try? makeTask(request) { resumed.append((task, record.startedAt)) }
            } else {
                let lost = DownloadError(.operationLost, "What it was to do could not be read after a restart.")
                await note(record, .failed(ErrorReport(lost)), pack: nil)
                tellEnd(of: record, as: .failed, error: ErrorReport(lost))
            }
            await Task.yield()
        }
        await steps.clear(keeping: Set(resumed.map(\.task.request.operation)))
        // Who transfers first is decided by their places, and not by whose task comes to it first.
        turnstile.keep(
            resumed.map(\.task).filter { $0.request.pause == nil && $0.request.prerequisites.isEmpty }
                .map { Place(priority: $0.request.priority ?? 0, number: $0.number) })
        for (task, startedAt) in resumed { begin(task, startedAt: startedAt) }
        bringingBack = nil
    }

    /// By the operation that put them in their places.
    private func placedPacks(hasUnfinished: Bool) async -> [OperationID: LibraryPack] {
        guard hasUnfinished else { return [:] }
        do {
            let packs = try await library.all().compactMap { pack in pack.origin.map { ($0.operation, pack) } }
            return Dictionary(packs) { first, _ in first }
        } catch {
            // They are done again, which puts the same in the same place.
            log.error("What is installed could not be looked at: \(error)")
            return [:]
        }
    }

    /// Tells the end of an operation whose task is no more.
    private func tellEnd(
        of record: OperationRecord, as end: OperationEnd, error: ErrorReport? = nil, kind: ProductKind? = nil,
        size: Int? = nil
    ) {
        var status = DownloadStatus(
            operation: record.operation, action: record.action, productIdentifier: record.productIdentifier, kind: kind,
            store: record.store ?? "", bytesExpected: size)
        status.end(as: end, error: error)
        publishEnd(status)
    }
}
