import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel

/// The part of the downloads manager that continues downloads after a restart of the daemon.
///
/// Requests about anything else are answered meanwhile. Requests about downloads wait until all have been created
/// again, so that no new download overtakes one, and a request for one of them joins it.
extension DownloadsManager {
    /// Continues the downloads that were running when the daemon's previous process ended, in their order.
    ///
    /// An operation whose pack was committed in the last moment is recorded as finished; one whose request can't be
    /// read, as failed. The function returns when the operations are known; their downloads are created after that
    /// (``resumptionEnded()``).
    ///
    /// - Throws: errors of the database.
    public func resume() async throws {
        let unfinished = try await database.runningOperations()
            .filter { [.install, .update, .repair].contains($0.record.action) }
        resumption = Task { await resume(unfinished) }
    }

    /// Waits until all downloads that ``resume()`` found have been created; returns at once if it was not called.
    public func resumptionEnded() async { await resumption?.value }

    private func resume(_ unfinished: [(record: OperationRecord, plan: Data)]) async {
        var resumed: [(task: DownloadTask, startedAt: Date)] = []
        let committed = await committedPacks(of: unfinished.map(\.record))
        let bytesOnDisk = unfinished.isEmpty ? [:] : await environment.steps.partials.bytesOnDisk()
        for (record, plan) in unfinished {
            guard !isClosing else {
                // The next start resumes all of them.
                for (task, _) in resumed { entries[task.request.product.productIdentifier] = nil }
                return
            }
            if let pack = committed[record.operation] {
                if let request = try? JSON.decode(DownloadRequest.self, from: plan) {
                    await setRequested(pack, by: request)
                }
                await self.record(record, as: .finished)
                await didInstall(pack, record.action)
                publishEnd(of: record, as: .finished, kind: pack.kind, size: pack.origin?.archive.size)
                await publishInstall(of: pack.productIdentifier, record.action)
            } else if let request = try? JSON.decode(DownloadRequest.self, from: plan) {
                let bytes = request.resumableBytes(of: bytesOnDisk[request.operation] ?? 0)
                if let task = try? makeTask(request, bytesOnDisk: bytes) { resumed.append((task, record.startedAt)) }
            } else {
                let error = ErrorReport(StoreError(.operationUnreadable))
                await self.record(record, as: .failed, error: error)
                publishEnd(of: record, as: .failed, error: error)
            }
            await Task.yield()
        }
        let partials = environment.steps.partials
        await partials.removeAll(except: Set(resumed.map(\.task.request.operation)))
        await partials.prune(to: environment.settings.partials, now: clock.date())
        begin(resumed)
        resumption = nil
    }

    /// Returns the installed packs of unfinished operations by the operation that installed them.
    ///
    /// Such an operation must not run again: it would replace the pack by itself, and so the previous version too. Where
    /// the packs can't be listed, those of the operations are looked at one by one.
    private func committedPacks(of unfinished: [OperationRecord]) async -> [OperationID: LibraryPack] {
        guard !unfinished.isEmpty else { return [:] }
        var packs: [LibraryPack] = []
        do {
            packs = try await library.all()
        } catch {
            log.error("could not list installed packs: \(error)")
            for record in unfinished {
                // Where this pack can't be read either, its operation runs again.
                if let pack = try? await library.packInPlace(of: record.productIdentifier) { packs.append(pack) }
            }
        }
        return Dictionary(packs.compactMap { pack in pack.origin.map { ($0.operation, pack) } }) { first, _ in first }
    }

    /// Counts and publishes the end of an operation for which no download was created after the daemon's restart.
    private func publishEnd(
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

extension DownloadRequest {
    /// Returns how many bytes on disk the download continues with after a restart of the daemon.
    ///
    /// Without a hash nothing can verify the bytes, and what may fetch parts first finds out what it needs: both begin at 0.
    fileprivate func resumableBytes(of bytesOnDisk: Int) -> Int {
        guard !mayFetchParts, resource.sha256 != nil, let size = resource.size else { return 0 }
        return min(bytesOnDisk, size)
    }
}
