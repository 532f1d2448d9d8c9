public import FoundationEssentials

/// A numbered notification of a change in the daemon, such as progress of a download or an installed pack.
///
/// Events are hints, not the source of truth: a client that missed events requests a snapshot, and all events after the
/// last one it received.
public struct Event: Sendable, Hashable {
    /// The sequence number of the event, which grows across restarts of the daemon.
    public var sequence: UInt64
    /// When the change that the event notifies of happened.
    public var time: Date
    /// The change that the event notifies of, with its data.
    public var happening: Happening

    public init(sequence: UInt64, time: Date, happening: Happening) {
        self.sequence = sequence
        self.time = time
        self.happening = happening
    }

    /// The change that an event notifies of, with its data.
    public enum Happening: Sendable, Hashable {
        /// An event: the status of a download changed; the value is the new status.
        case download(DownloadStatus)
        /// An event: a pack was installed, updated, held, removed, or found to be damaged, or its state changed.
        case pack(PackChange)
        /// An event: a store was added, changed or removed, or its catalogue was fetched.
        case store(StoreChange)
        /// An event: the basis on which a store's catalogue is accepted changed.
        case trust(TrustChange)
        /// An event: a purchase was recorded or revoked.
        case purchase(PurchaseChange)
        /// An event: a setting of the daemon has another value, or its value another source.
        case setting(SettingState)
        /// An event: the catalogue of the store with this name changed.
        case catalogue(store: String)
        /// An event: newer versions of installed packs became available.
        case updates([AvailableUpdate])
        /// An event: another skin, or another version of the skin, was applied.
        ///
        /// `change` is `nil` if the whole skin has to be read again.
        case skin(SkinUse, change: SkinDifference?)
        /// An event: one of the user's lists of stickers changed, or the order of the sticker packs.
        case stickers(StickersChange)
        /// An event of a type that this release does not know; `type` is its name in JSON.
        case unknown(type: String)
    }

    /// The identifier of the product that the event is about; `nil` if it is about none.
    public var productIdentifier: String? {
        switch happening {
        case .download(let status): status.productIdentifier
        case .pack(let change): change.productIdentifier
        case .purchase(let change): change.productIdentifier
        case .skin(let use, _): use.skin?.identifier
        case .store, .trust, .setting, .catalogue, .updates, .stickers, .unknown: nil
        }
    }

    /// Returns whether the event is about the product with an identifier.
    ///
    /// A change of the skin is about the skin that is in use now, the one before, those that it inherits from, and the
    /// one that the user chose. A change of a list of stickers is about the packs that are in it afterwards.
    public func isAbout(_ productIdentifier: String) -> Bool {
        if self.productIdentifier == productIdentifier { return true }
        if case .stickers(let change) = happening {
            return change.packs.contains(productIdentifier)
                || change.stickers.contains { $0.productIdentifier == productIdentifier }
        }
        guard case .skin(let use, let change) = happening else { return false }
        return use.inherits.contains { $0.identifier == productIdentifier } || use.chosen == productIdentifier
            || change?.from?.identifier == productIdentifier
    }

    /// The kind (such as skin) of the product that the event is about; `nil` if it is about none, or it is unknown.
    public var kind: ProductKind? {
        switch happening {
        case .download(let status): status.kind
        case .pack(let change): change.kind
        case .skin: .skin
        case .stickers: .sticker
        case .store, .trust, .purchase, .setting, .catalogue, .updates, .unknown: nil
        }
    }

    /// Whether the event only reports progress, so that a newer event of the same download may replace it.
    public var isProgress: Bool { happening.isProgress }
}

extension Event.Happening {
    /// Whether the event only reports progress, so that a newer event of the same download may replace it.
    public var isProgress: Bool {
        if case .download(let status) = self {
            status.activity == .transferring && status.state == .downloading
        } else {
            false
        }
    }
}

/// An installed pack for which its store offers a newer version, and the reason if `update` would skip it.
public struct AvailableUpdate: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var store: String
    @OrNull public var installed: Version?
    @OrNull public var available: Version?
    /// Why the command `update` without a product's name skips this update; `nil` if it does not.
    ///
    /// The pack is `held` or `withdrawn`, requests further permissions or has to be purchased, its update is paused, or
    /// its store is unreachable.
    @OrNull public var heldBack: String?
    /// The plugin permissions that the newer version requests and the user has not granted yet; none if the version has
    /// to be purchased first.
    public var permissions: [Permission]

    public init(
        productIdentifier: String, store: String, installed: Version?, available: Version?, heldBack: String? = nil,
        permissions: [Permission] = []
    ) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.installed = installed
        self.available = available
        self.heldBack = heldBack
        self.permissions = permissions
    }

    /// The value of ``heldBack`` for a pack that the user holds at its version.
    public static let held = EnglishText.filled("held")
    /// The value of ``heldBack`` for a pack whose update is paused.
    public static let paused = EnglishText.filled("its update is paused")
    /// The value of ``heldBack`` for a pack that its store does not offer any more.
    public static let withdrawn = EnglishText.filled("withdrawn from its store")
}

extension Event: Codable {
    private enum Key: String, CodingKey { case sequence, time, type, store, updates, change }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        sequence = try values.decode(UInt64.self, forKey: .sequence)
        time = try values.decode(Date.self, forKey: .time)
        switch try values.decode(String.self, forKey: .type) {
        case "download": happening = .download(try DownloadStatus(from: decoder))
        case "pack": happening = .pack(try PackChange(from: decoder))
        case "store": happening = .store(try StoreChange(from: decoder))
        case "trust": happening = .trust(try TrustChange(from: decoder))
        case "purchase": happening = .purchase(try PurchaseChange(from: decoder))
        case "setting": happening = .setting(try SettingState(from: decoder))
        case "catalogue": happening = .catalogue(store: try values.decode(String.self, forKey: .store))
        case "updates": happening = .updates(try values.decode([AvailableUpdate].self, forKey: .updates))
        case "skin":
            happening = .skin(
                try SkinUse(from: decoder), change: try values.decodeIfPresent(SkinDifference.self, forKey: .change))
        case "stickers": happening = .stickers(try StickersChange(from: decoder))
        case let type: happening = .unknown(type: type)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(sequence, forKey: .sequence)
        try values.encode(time, forKey: .time)
        switch happening {
        case .download(let status):
            try values.encode("download", forKey: .type)
            try status.encode(to: encoder)
        case .pack(let change):
            try values.encode("pack", forKey: .type)
            try change.encode(to: encoder)
        case .store(let change):
            try values.encode("store", forKey: .type)
            try change.encode(to: encoder)
        case .trust(let change):
            try values.encode("trust", forKey: .type)
            try change.encode(to: encoder)
        case .purchase(let change):
            try values.encode("purchase", forKey: .type)
            try change.encode(to: encoder)
        case .setting(let setting):
            try values.encode("setting", forKey: .type)
            try setting.encode(to: encoder)
        case .catalogue(let store):
            try values.encode("catalogue", forKey: .type)
            try values.encode(store, forKey: .store)
        case .updates(let updates):
            try values.encode("updates", forKey: .type)
            try values.encode(updates, forKey: .updates)
        case .skin(let use, let change):
            try values.encode("skin", forKey: .type)
            try use.encode(to: encoder)
            try values.encode(change, forKey: .change)
        case .stickers(let change):
            try values.encode("stickers", forKey: .type)
            try change.encode(to: encoder)
        case .unknown(let type):
            try values.encode(type, forKey: .type)
        }
    }
}
