import FoundationEssentials
import StoreDatabase
import StoreDownloads
import StoreEvents
import StoreLibrary
import StoreModel

/// The part of the engine that publishes, at its start, the events that the previous process could not publish.
///
/// It completes the records of operations that a crash interrupted, and publishes the events that were lost with it. It
/// also publishes what has changed while no process worked on the home.
struct EventRecovery: Sendable {
    let events: EventBus
    let history: OperationHistory
    let library: Library
    let packs: PackLister
    let stores: StoreRegistry
    let publisher: StatePublisher

    /// The state that the previous process has left, for a comparison with the present one.
    struct Before: Sendable {
        /// The recorded state; see ``StateRecord``.
        let state: PublishedState
        /// The database's index of packs, by directory.
        let index: [String: LibraryEntry]
    }

    /// Completes the records of uninstalls and rollbacks that a crash interrupted, and publishes missing events.
    ///
    /// - Parameters:
    ///   - running: the operations that have no recorded end.
    ///   - before: the state that the previous process has left; `nil` if there is no record of it.
    /// - Throws: a database or file error.
    func run(running: [OperationRecord], since before: Before?) async throws {
        let journal = await events.stateBeforeCrash()
        let done = try await publishMissing(
            settled: settle(running), running: Set(running.map(\.operation)), journal)
        if let before { try await publishChanges(since: before, journal, except: done) }
    }

    /// Records the ends of uninstalls and rollbacks that a crash interrupted.
    ///
    /// The library of installed packs shows whether each was carried out.
    ///
    /// - Returns: the operations that were carried out.
    private func settle(_ running: [OperationRecord]) async throws -> [OperationRecord] {
        var happened: [OperationRecord] = []
        for record in running where [.uninstall, .rollback].contains(record.action) {
            let pack = try await library.pack(of: record.productIdentifier)
            var settled = record
            switch record.action {
            case .uninstall: settled.end = pack?.origin == nil ? .finished : .failed
            case .rollback: settled.end = pack?.origin?.operation == record.operation ? .finished : .failed
            case .install, .update, .repair: continue
            }
            if settled.end == .failed {
                settled.error = ErrorReport(StoreError(.daemonEndedFirst))
            }
            settled.endedAt = history.clock.date()
            history.recordEnd(settled)
            if settled.end == .finished { happened.append(settled) }
        }
        return happened
    }

    /// Publishes the ends of downloads and changes of installed packs that the event journal lacks after a crash.
    ///
    /// - Parameters:
    ///   - settled: the operations whose end was recorded only now.
    ///   - running: the operations that had no recorded end.
    /// - Returns: the product identifiers of the packs whose changes were published.
    private func publishMissing(
        settled: [OperationRecord], running: Set<OperationID>, _ journal: JournaledState?
    ) async throws -> Set<String> {
        var done = settled
        if let journal {
            // Times have a resolution of one second, and operations that end at the same time are published in any order.
            let ended = try await history.database.operations(endedSince: journal.lastEventTime.addingTimeInterval(-60))
            for record in ended where !journal.hasEnded(record.operation) {
                try await publishEnd(of: record, journal)
            }
            done += ended.filter { $0.end == .finished }
            for var status in journal.runningDownloads where !running.contains(status.operation) {
                guard try await history.database.operation(status.operation) == nil else { continue }
                let lost = StoreError(.operationForgotten)
                status.end(as: .failed, error: ErrorReport(lost))
                events.publish(.download(status))
            }
        }
        let known = done.isEmpty ? [:] : journal?.packChanges ?? [:]
        let identifiers = Set(done.map(\.productIdentifier))
        for identifier in identifiers.sorted() {
            if let change = try await change(of: identifier, since: known[identifier]) { events.publish(.pack(change)) }
        }
        return identifiers
    }

    /// Publishes what has changed while no process worked on the home, such as settings and packs placed by hand, and the
    /// changes of purchases and lists of stickers whose events a crash lost.
    private func publishChanges(
        since before: Before, _ journal: JournaledState?, except done: Set<String>
    ) async throws {
        var state = before.state
        let index = await library.index
        let changed = before.index.filter { folder, entry in index[folder]?.receiptFile != entry.receiptFile }
        for entry in changed.values {
            state.packs[entry.pack.productIdentifier] = try await packs.publishedPack(entry.pack)
        }
        journal?.apply(to: &state)
        // A pack without a receipt was placed by hand, or its receipt is damaged; the index has neither.
        let new = index.filter { folder, entry in entry.receiptFile == nil || before.index[folder] == nil }
        let identifiers = Set(state.packs.keys).union(new.values.map(\.pack.productIdentifier)).subtracting(done)
        await publisher.publishChanges(since: state, packs: identifiers)
    }

    private func publishEnd(of record: OperationRecord, _ journal: JournaledState) async throws {
        guard [.install, .update, .repair].contains(record.action), let end = record.end else { return }
        var status: DownloadStatus
        if let published = journal.status(of: record.operation) {
            status = published
        } else {
            // The journal has only recent events, and no event of this download is left in it.
            let identifier = record.productIdentifier
            let installed = try await library.packInPlace(of: identifier)?.kind
            let offered = installed == nil ? await offeredKind(of: identifier) : nil
            status = DownloadStatus(
                operation: record.operation, action: record.action, productIdentifier: identifier,
                kind: installed ?? offered, store: record.store ?? "")
        }
        status.end(as: end, error: record.error)
        events.publish(.download(status))
    }

    /// Returns how an installed pack differs from its last event in the journal; `nil` if it does not differ.
    private func change(of identifier: String, since last: PackChange?) async throws -> PackChange? {
        if let pack = try await library.pack(of: identifier), pack.origin != nil {
            if let last, last.change != .removed, last.version == pack.version { return nil }
            let published = try await packs.publishedPack(of: identifier).pack
            return PackChange(
                productIdentifier: identifier, kind: pack.kind,
                change: last == nil || last?.change == .removed ? .installed : .updated, version: pack.version,
                pack: published?.pack, names: published?.otherNames)
        }
        if last?.change == .removed { return nil }
        let offered = last == nil ? await offeredKind(of: identifier) : nil
        return PackChange(
            productIdentifier: identifier, kind: last?.kind ?? offered ?? ProductKind(rawValue: ""), change: .removed,
            version: last?.version)
    }

    /// Returns the kind of a product according to a cached catalogue; `nil` if no catalogue has the product.
    private func offeredKind(of identifier: String) async -> ProductKind? {
        await stores.cachedCatalogues().values.lazy.compactMap { $0[identifier]?.kind }.first
    }
}
