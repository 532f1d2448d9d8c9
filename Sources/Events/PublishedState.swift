public import StoreModel

/// The state that published events describe, except for downloads: packs, stores, purchases, settings, the skin and lists of
/// stickers.
///
/// Each event contains the complete new value of what it is about. So the state at an event number is what a client has
/// that took any earlier snapshot and applied the events up to that number.
public struct PublishedState: Sendable, Hashable {
    /// An installed pack, with its name in all its languages.
    public struct Pack: Sendable, Hashable {
        /// The pack, with its name in the default language.
        public var pack: InstalledPack {
            get { description.pack }
            set { description = CompletePack(newValue, names: names) }
        }
        public var names: LocalizedText { description.names }

        private var description: any InstalledPackDescription

        public init(_ description: any InstalledPackDescription) { self.description = description }
        public init(_ pack: InstalledPack, names: LocalizedText) { description = CompletePack(pack, names: names) }

        public static func == (a: Pack, b: Pack) -> Bool {
            a.description === b.description || a.pack == b.pack && a.names == b.names
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(pack.productIdentifier) }
    }

    /// The installed packs by product identifier.
    public var packs: [String: Pack] = [:]
    /// The stores that the user added, by name.
    public var stores: [String: StoreSummary] = [:]
    /// The user's purchases by product identifier.
    public var purchases: [String: Purchase] = [:]
    /// The settings by name.
    public var settings: [String: SettingState] = [:]
    /// The skin in use; `nil` before any was published.
    public var skin: SkinUse?
    /// The user's lists of stickers and the order of the sticker packs.
    public var stickers = StickerLists()

    /// Creates a state without packs, stores, purchases and settings.
    public init() {}

    /// Changes the state as an event describes it; events about anything else have no effect.
    mutating func apply(_ happening: Event.Happening) {
        switch happening {
        case .pack(let change):
            if change.change == .removed {
                packs[change.productIdentifier] = nil
            } else if let pack = change.pack {
                packs[change.productIdentifier] = Pack(pack, names: change.names ?? LocalizedText(pack.name))
            }
        case .store(let change): stores[change.store] = change.summary
        case .purchase(let change):
            purchases[change.productIdentifier] = change.grantedAt.map {
                Purchase(productIdentifier: change.productIdentifier, grantedAt: $0)
            }
        case .setting(let setting): settings[setting.key] = setting
        case .skin(let use, _): skin = use
        case .stickers(let change): stickers.apply(change)
        // The basis of trust is a property of the store's description.
        case .download, .trust, .catalogue, .updates, .unknown: break
        }
    }

    /// Returns the packs in the order of their names, in the first available language of a list.
    public func packs(in languages: [String]) -> [InstalledPack] {
        packs.values.map { published in
            var pack = published.pack
            pack.name = published.names.text(in: languages)
            return pack
        }
        .sorted { ($0.name, $0.productIdentifier) < ($1.name, $1.productIdentifier) }
    }
}

/// An immutable description of an installed pack, which the states of the publisher, of its events and of snapshots share.
///
/// It may compose the pack when it is asked for, which takes less memory than to have thousands of them.
public protocol InstalledPackDescription: AnyObject, Sendable {
    /// The pack, with its name in the default language.
    var pack: InstalledPack { get }
    /// The pack's name in all its languages.
    var names: LocalizedText { get }
}

private final class CompletePack: InstalledPackDescription {
    let pack: InstalledPack
    let names: LocalizedText

    init(_ pack: InstalledPack, names: LocalizedText) {
        self.pack = pack
        self.names = names
    }
}

extension Event.Happening {
    /// The part of the state that an event describes completely, so that a newer event about it replaces an older one.
    enum StatePart: Hashable {
        case download(OperationID)
        case pack(String)
        case store(String)
        case trust(String)
        case purchase(String)
        case setting(String)
        case skin
        case stickers(StickerLists.List)
    }

    /// The part of the state that the event describes completely; `nil` if it describes none.
    var statePart: StatePart? {
        switch self {
        case .download(let status): .download(status.operation)
        // Without the pack, the event only reports what was found.
        case .pack(let change):
            change.pack != nil || change.change == .removed ? .pack(change.productIdentifier) : nil
        case .store(let change): .store(change.store)
        case .trust(let change): .trust(change.store)
        case .purchase(let change): .purchase(change.productIdentifier)
        case .setting(let setting): .setting(setting.key)
        case .skin: .skin
        case .stickers(let change): .stickers(change.list)
        case .catalogue, .updates, .unknown: nil
        }
    }
}
