import Logging
import StoreDownloads
import StoreEvents
import StoreLibrary
import StoreModel
import StoreSettings
import StoreStickers

/// A publisher of events for all changes of the state that snapshots contain, except those of downloads and the skin.
///
/// It compares the state with the one that was published last, and publishes the difference. So an event is published
/// whatever changed the state, and a part that causes a change only says where to look. One comparison is made at a time:
/// what is published last is the newest.
actor StatePublisher {
    /// The parts of the state in which something may have changed.
    struct Parts: Sendable {
        var stores = false
        var purchases = false
        var settings = false
        var stickers = false
        var allPacks = false
        /// The product identifiers of the packs that may have changed.
        var packs: Set<String> = []
        /// The operations on packs that have ended, by product identifier.
        var ended: [String: PackChange.Change] = [:]

        static let all = Parts(stores: true, purchases: true, settings: true, stickers: true, allPacks: true)
        static let stores = Parts(stores: true)
        /// The stores and the states of packs that follow from their catalogues.
        static let catalogues = Parts(stores: true, allPacks: true)
        static let purchases = Parts(purchases: true)
        static let stickers = Parts(stickers: true)
        static let allPacks = Parts(allPacks: true)

        /// A pack that may have changed, perhaps by an operation that has ended.
        static func pack(_ identifier: String, after change: PackChange.Change? = nil) -> Parts {
            Parts(packs: [identifier], ended: change.map { [identifier: $0] } ?? [:])
        }

        mutating func formUnion(_ other: Parts) {
            stores = stores || other.stores
            purchases = purchases || other.purchases
            settings = settings || other.settings
            stickers = stickers || other.stickers
            allPacks = allPacks || other.allPacks
            packs.formUnion(other.packs)
            ended.merge(other.ended) { $1 }
        }
    }

    /// The parts of the engine whose state is published.
    struct Sources: Sendable {
        let packs: PackLister
        let stores: StoreRegistry
        let purchases: Purchases
        let settings: SettingsManager
        let stickers: StickersManager
    }

    private let events: EventBus
    private let log: Logger
    private var sources: Sources?
    /// The state that was published last, or that was there when this process began.
    private var shown = PublishedState()
    /// The products about whose packs this process has published an event, other than of damage.
    private var packsWithEvents: Set<String> = []
    private var due = Parts()
    /// The last comparison that was begun or waits; `nil` before the first.
    private var lastRound: Task<Void, any Error>?
    /// The comparison that has not begun, which includes everything that is due; `nil` if there is none.
    private var nextRound: Task<Void, any Error>?
    private var isComparing = false

    init(events: EventBus, log: Logger) {
        self.events = events
        self.log = log
    }

    /// Reads the state, and publishes changes of it from now on.
    func start(_ sources: Sources, skin: SkinUse) async {
        var state = PublishedState()
        state.stores = await stores(of: sources)
        state.purchases = (try? await purchases(of: sources)) ?? [:]
        state.settings = settings(of: sources)
        state.packs = (try? await sources.packs.publishedPacks().packs) ?? [:]
        state.skin = skin
        state.stickers = (try? await sources.stickers.lists()) ?? StickerLists()
        (self.sources, shown) = (sources, state)
        events.begin(with: state)
    }

    /// Publishes what has changed since the previous process published its state.
    ///
    /// - Parameters:
    ///   - before: the state that the previous process published last.
    ///   - packs: the identifiers of the packs that may have changed; other packs in `before` are ignored.
    func publishChanges(since before: PublishedState, packs: Set<String>) async {
        guard let now = try? StateRecord.recorded(shown, packs: packs) else { return }
        for key in now.settings.keys where now.settings[key] != before.settings[key] {
            shown.settings[key] = before.settings[key]
        }
        for name in Set(now.stores.keys).union(before.stores.keys) where now.stores[name] != before.stores[name] {
            shown.stores[name] = before.stores[name]
        }
        var changed = packs.filter { now.packs[$0]?.pack != before.packs[$0]?.pack }
        for identifier in changed { shown.packs[identifier] = before.packs[identifier] }
        // Whether a pack's store is signed may have changed with the list of stores, which people may edit.
        for (identifier, published) in shown.packs where !changed.contains(identifier) {
            guard let store = published.pack.store else { continue }
            let signed = before.stores[store].map { !$0.unsigned }
            guard published.pack.signed != signed else { continue }
            shown.packs[identifier]?.pack.signed = signed
            changed.insert(identifier)
        }
        for identifier in Set(now.purchases.keys).union(before.purchases.keys)
        where now.purchases[identifier] != before.purchases[identifier] {
            shown.purchases[identifier] = before.purchases[identifier]
            // An installed pack was published with the state that followed from the purchase.
            guard !changed.contains(identifier), shown.packs[identifier]?.pack.operation != nil else { continue }
            shown.packs[identifier]?.pack.state.removeAll { $0 == .purchased }
            if before.purchases[identifier] != nil { shown.packs[identifier]?.pack.state.append(.purchased) }
        }
        if let skin = now.skin, skin != before.skin { events.publish(.skin(skin, change: nil)) }
        shown.stickers = before.stickers
        await publish(Parts(stores: true, purchases: true, settings: true, stickers: true, packs: changed))
    }

    /// Stops publishing changes, after those that are being published.
    func stop() async {
        sources = nil
        _ = await lastRound?.result
    }

    // MARK: Publishing

    /// Publishes what has changed in some parts of the state; returns when that is done.
    ///
    /// A failure to read the state is logged; the next snapshot compares everything again.
    func publish(_ parts: Parts) async {
        do {
            try await round(for: parts).value
        } catch {
            log.warning("could not publish changes: \(ErrorReport(error).message)")
        }
    }

    /// Publishes everything that has changed, so that the published state is that of the engine.
    ///
    /// - Throws: a file or database error.
    func publishAll() async throws { try await round(for: .all).value }

    /// Returns the comparison of some parts of the state, which has not begun yet.
    private func round(for parts: Parts) -> Task<Void, any Error> {
        due.formUnion(parts)
        if let nextRound { return nextRound }
        // The comparison that is being made may have read the state before the change.
        let previous = lastRound
        let next = Task {
            _ = await previous?.result
            try await compare()
        }
        (lastRound, nextRound) = (next, next)
        return next
    }

    /// Whether no comparison is being made or waits.
    var isIdle: Bool { nextRound == nil && !isComparing }

    /// Publishes an event that verification has found damaged files in a pack.
    func publishDamage(_ count: Int, of pack: LibraryPack) {
        let known = shown.packs[pack.productIdentifier]
        events.publish(
            .pack(
                PackChange(
                    productIdentifier: pack.productIdentifier, kind: pack.kind, change: .damaged, version: pack.version,
                    damages: count, pack: known?.pack, names: known?.otherNames)))
    }

    private func compare() async throws {
        let parts = due
        (due, nextRound, isComparing) = (Parts(), nil, true)
        defer { isComparing = false }
        guard let sources else { return }
        do {
            try await publishDifference(in: parts, of: sources)
        } catch {
            // The next comparison includes them.
            due.formUnion(parts)
            throw error
        }
    }

    private func publishDifference(in parts: Parts, of sources: Sources) async throws {
        if parts.stores { publish(stores: await stores(of: sources)) }
        if parts.settings { publish(settings: settings(of: sources)) }
        var identifiers = parts.packs
        if parts.purchases {
            identifiers.formUnion(publish(purchases: try await purchases(of: sources)))
        }
        if parts.allPacks {
            let (packs, pending) = try await sources.packs.publishedPacks()
            for identifier in Set(packs.keys).union(shown.packs.keys).subtracting(pending).sorted() {
                publish(packs[identifier], of: identifier, after: parts.ended[identifier])
            }
        } else {
            for identifier in identifiers.sorted() {
                let (pack, isPending) = try await sources.packs.publishedPack(of: identifier)
                if !isPending { publish(pack, of: identifier, after: parts.ended[identifier]) }
            }
        }
        // The lists name only stickers that are installed, and settings limit them.
        if parts.stickers || parts.settings || parts.allPacks || !identifiers.isEmpty {
            publish(stickers: try await sources.stickers.lists())
        }
    }

    // MARK: Stickers

    private func publish(stickers: StickerLists) {
        for list in StickerLists.List.allCases {
            let change = stickers.change(of: list)
            guard change != shown.stickers.change(of: list) else { continue }
            shown.stickers.apply(change)
            events.publish(.stickers(change))
        }
    }

    // MARK: Packs

    /// Publishes how a pack differs from the one that was published last.
    ///
    /// - Parameters:
    ///   - pack: the pack; `nil` if it is not installed.
    ///   - change: an operation on the pack that has ended; it is published also if a crashed process carried it out.
    private func publish(_ pack: PublishedState.Pack?, of identifier: String, after change: PackChange.Change?) {
        let known = shown.packs[identifier]
        let isUnpublished = change != nil && known != nil && !packsWithEvents.contains(identifier)
        guard pack != known || (isUnpublished && pack != nil) else { return }
        packsWithEvents.insert(identifier)
        shown.packs[identifier] = pack
        guard let pack else {
            guard let known else { return }
            events.publish(
                .pack(
                    PackChange(
                        productIdentifier: identifier, kind: known.pack.kind, change: .removed,
                        version: known.pack.version)))
            return
        }
        let found: PackChange.Change
        if let change, isUnpublished || pack.pack.operation != known?.pack.operation {
            found = change
        } else if let known {
            found = pack.pack.change(from: known.pack)
        } else {
            found = .installed
        }
        events.publish(
            .pack(
                PackChange(
                    productIdentifier: identifier, kind: pack.pack.kind, change: found, version: pack.pack.version,
                    pack: pack.pack, names: pack.otherNames)))
    }

    // MARK: Stores, purchases and settings

    private func stores(of sources: Sources) async -> [String: StoreSummary] {
        Dictionary(await sources.stores.list().map { ($0.name, $0) }) { first, _ in first }
    }

    private func publish(stores: [String: StoreSummary]) {
        for name in Set(stores.keys).union(shown.stores.keys).sorted() where stores[name] != shown.stores[name] {
            let (old, new) = (shown.stores[name], stores[name])
            shown.stores[name] = new
            if let change = TrustChange.between(old, new, of: name) { events.publish(.trust(change)) }
            events.publish(.store(StoreChange(store: name, summary: new)))
        }
    }

    private func purchases(of sources: Sources) async throws -> [String: Purchase] {
        Dictionary(try await sources.purchases.list().map { ($0.productIdentifier, $0) }) { first, _ in first }
    }

    /// - Returns: the product identifiers of the purchases that changed.
    private func publish(purchases: [String: Purchase]) -> [String] {
        let changed = Set(purchases.keys).union(shown.purchases.keys).sorted()
            .filter { purchases[$0] != shown.purchases[$0] }
        shown.purchases = purchases
        for identifier in changed {
            let change = PurchaseChange(productIdentifier: identifier, grantedAt: purchases[identifier]?.grantedAt)
            events.publish(.purchase(change))
        }
        return changed
    }

    private nonisolated func settings(of sources: Sources) -> [String: SettingState] {
        let settings = sources.settings.current
        return Dictionary(
            uniqueKeysWithValues: SettingKey.all.map { key in
                let origin = settings.origin(of: key).description
                return (key.name, SettingState(key: key.name, value: settings[key].description, origin: origin))
            })
    }

    private func publish(settings: [String: SettingState]) {
        for (key, setting) in settings.sorted(by: { $0.key < $1.key }) where setting != shown.settings[key] {
            shown.settings[key] = setting
            events.publish(.setting(setting))
        }
    }
}

extension PublishedState.Pack {
    /// The pack's name in all its languages; `nil` if it has only one, which the pack contains.
    var otherNames: LocalizedText? { names == LocalizedText(pack.name) ? nil : names }
}

extension InstalledPack {
    /// Returns what happened to a pack that was described as `old` before.
    fileprivate func change(from old: InstalledPack) -> PackChange.Change {
        if operation != old.operation || version != old.version { return .updated }
        return held == old.held ? .changed : .held
    }
}
