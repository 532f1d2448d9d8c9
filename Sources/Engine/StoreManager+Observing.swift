import FoundationEssentials
import StoreDownloads
public import StoreEvents
import StoreLibrary
public import StoreModel

extension StoreManager {
    /// Downloads, packs, and the number of the last event that they hold for: whoever goes on with the events after it
    /// misses nothing. No download is told of twice, and none as it was before; a pack that changes in this very moment may
    /// be here as the next event tells of it.
    ///
    /// - Throws: what the disk says.
    public func snapshot(languages: [String] = []) async throws -> StoreSnapshot {
        await downloads.broughtBack()
        let (sequence, downloads) = events.downloadSnapshot
        return StoreSnapshot(
            sequence: sequence, downloads: downloads, packs: try await packs(languages: languages), skin: skinUse)
    }

    /// The present state, and then everything that happens: a snapshot first, and another one wherever the reader was so
    /// slow that it can't be told everything. Each iterator is an observer of its own, and goes when it does.
    ///
    /// - Parameters:
    ///   - scope: of which events are told. A snapshot has everything in any case.
    ///   - languages: of the names in snapshots, the best first.
    public nonisolated func observations(_ scope: EventFilter = .all, languages: [String] = []) -> Observations {
        Observations(events: events, filter: scope) { try await self.snapshot(languages: languages) }
    }

    /// The installed packs, now and after each change.
    ///
    /// - Parameter languages: of their names, the best first.
    public nonisolated func latestPacks(languages: [String] = []) -> CurrentValueSequence<[InstalledPack]> {
        CurrentValueSequence(observations: observations(languages: languages)) {
            try await self.packs(languages: languages)
        }
    }

    /// The sticker packs with their stickers, as a picker shows them, now and after each change. A folder that somebody
    /// puts there by hand is seen with the next change.
    public nonisolated func latestStickerPacks() -> CurrentValueSequence<[StickerPack]> {
        CurrentValueSequence(observations: observations(.kind(.sticker))) { [stickers] in try await stickers.packs() }
    }

    /// Tells an object of everything that happens, beginning with the present state, until it goes away or is removed. It
    /// is not kept alive by that.
    ///
    /// - Parameters:
    ///   - scope: what it is told of; a snapshot has everything in any case. Adding one again changes that.
    ///   - executor: where those of its methods run that belong to no actor; `nil` is Swift's own pool. Those of an actor
    ///     run on that actor.
    public nonisolated func addObserver(
        _ observer: some StoreObserver, for scope: EventFilter = .all, on executor: (any TaskExecutor)? = nil
    ) {
        observers.add(observer, observing: observations(scope), on: executor)
    }

    /// From the return on the observer is told of nothing more; what it is being told in this moment it may still be at.
    public nonisolated func removeObserver(_ observer: some StoreObserver) { observers.remove(observer) }

    // MARK: After a crash

    /// Tells observers what the process before did and could not tell, because it died in between.
    ///
    /// - Parameters:
    ///   - settled: what is known only now to have been done.
    ///   - running: what had no end yet when the daemon ended.
    func tellWhatWasNotTold(settled: [OperationRecord], running: Set<OperationID>) async throws {
        let told = await events.stateBeforeCrash()
        var done = settled
        if let told {
            // Times are told to the second, and what ended at the same time was told in any order.
            let recently = told.lastEventTime.addingTimeInterval(-60)
            let ended = try await database.operations(endedSince: recently)
            for record in ended where !told.hasEnded(record.operation) { tellEnd(of: record, told) }
            done += ended.filter { $0.end == .finished }
            for var status in told.runningDownloads where !running.contains(status.operation) {
                guard try await database.operation(status.operation) == nil else { continue }
                let lost = DownloadError(.operationLost, "Nothing is known of it any more after a restart.")
                status.end(as: .failed, error: ErrorReport(lost))
                events.publish(.download(status))
            }
        }
        let known = done.isEmpty ? [:] : told?.packChanges ?? [:]
        for identifier in Set(done.map(\.productIdentifier)).sorted() {
            if let change = try await change(of: identifier, since: known[identifier]) { events.publish(.pack(change)) }
        }
    }

    private func tellEnd(of record: OperationRecord, _ told: JournaledState) {
        guard [.install, .update, .repair].contains(record.action), let end = record.end else { return }
        var status =
            told.status(of: record.operation)
            ?? DownloadStatus(
                operation: record.operation, action: record.action, productIdentifier: record.productIdentifier,
                store: record.store ?? "")
        status.end(as: end, error: record.error)
        events.publish(.download(status))
    }

    /// How a pack differs from what was told of it; `nil` where it does not.
    private func change(of identifier: String, since told: PackChange?) async throws -> PackChange? {
        if let pack = try await library.pack(of: identifier), pack.origin != nil {
            if let told, told.change != .removed, told.version == pack.version { return nil }
            return PackChange(
                productIdentifier: identifier, kind: pack.kind,
                change: told == nil || told?.change == .removed ? .installed : .updated, version: pack.version)
        }
        if told?.change == .removed { return nil }
        var kind = told?.kind
        for catalogue in await cachedCatalogues().values where kind == nil { kind = catalogue[identifier]?.kind }
        return PackChange(
            productIdentifier: identifier, kind: kind ?? ProductKind(rawValue: ""), change: .removed,
            version: told?.version)
    }
}
