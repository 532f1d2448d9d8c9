import FoundationEssentials
import StoreEngine
import StoreEvents
import StoreModel

/// The state of a client that took one snapshot and then applied each event.
struct Replica {
    struct State: Equatable, Codable {
        var downloads: [OperationID: DownloadStatus] = [:]
        var packs: [String: InstalledPack] = [:]
        var stores: [String: StoreSummary] = [:]
        var trust: [String: StoreTrust] = [:]
        var purchases: [String: Purchase] = [:]
        var settings: [String: SettingState] = [:]
        var skin: SkinUse?
        var stickers = StickerLists()

        init(_ snapshot: StoreSnapshot) {
            downloads = Dictionary(uniqueKeysWithValues: snapshot.downloads.map { ($0.operation, $0) })
            packs = Dictionary(uniqueKeysWithValues: snapshot.packs.map { ($0.productIdentifier, $0) })
            stores = Dictionary(uniqueKeysWithValues: snapshot.stores.map { ($0.name, $0) })
            trust = stores.mapValues(\.trust)
            purchases = Dictionary(uniqueKeysWithValues: snapshot.purchases.map { ($0.productIdentifier, $0) })
            settings = Dictionary(uniqueKeysWithValues: snapshot.settings.map { ($0.key, $0) })
            skin = snapshot.skin
            stickers = snapshot.stickers
        }

        /// The state as it is after it was sent as JSON.
        func received() throws -> State { try JSON.decode(State.self, from: JSON.encode(self)) }

        mutating func apply(_ event: Event) {
            switch event.happening {
            case .download(let status): downloads[status.operation] = status
            case .pack(let change): packs[change.productIdentifier] = change.change == .removed ? nil : change.pack
            case .store(let change): stores[change.store] = change.summary
            case .trust(let change): trust[change.store] = change.trust
            case .purchase(let change):
                purchases[change.productIdentifier] = change.grantedAt.map {
                    Purchase(productIdentifier: change.productIdentifier, grantedAt: $0)
                }
            case .setting(let setting): settings[setting.key] = setting
            case .skin(let use, _): skin = use
            case .stickers(let change): stickers.apply(change)
            case .catalogue, .updates, .unknown: break
            }
        }
    }

    private(set) var state: State
    private var position: UInt64
    private var events: EventSubscription.Iterator

    init(_ snapshot: StoreSnapshot, _ bus: EventBus) throws {
        state = State(snapshot)
        position = snapshot.sequence
        events = try bus.subscribe(after: snapshot.sequence).makeAsyncIterator()
    }

    /// Continues with the events of the next process, which does not list the downloads that ended before.
    ///
    /// The numbers of a process begin after those of the previous one, with a gap, so that the end is an event.
    mutating func resume(_ bus: EventBus) async throws {
        events = try bus.subscribe(after: position).makeAsyncIterator()
        bus.publish(.catalogue(store: "the end"))
        state.downloads = state.downloads.filter { $0.value.end == nil }
        while let event = try await events.next() {
            position = event.sequence
            state.apply(event.event)
            if event.event.happening == .catalogue(store: "the end") { return }
        }
    }

    /// Applies the events up to the one with a number.
    mutating func read(through last: UInt64) async throws {
        while position < last, let event = try await events.next() {
            position = event.sequence
            state.apply(event.event)
        }
    }
}
