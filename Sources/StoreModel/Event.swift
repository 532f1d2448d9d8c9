public import FoundationEssentials

/// Something that happened, told to every observer. A hint, not the truth: whoever missed some asks for the present
/// state and for everything after the last event seen.
public struct Event: Sendable, Hashable {
    /// Only grows, also across restarts of the daemon.
    public var sequence: UInt64
    public var time: Date
    public var happening: Happening

    public init(sequence: UInt64, time: Date, happening: Happening) {
        self.sequence = sequence
        self.time = time
        self.happening = happening
    }

    public enum Happening: Sendable, Hashable {
        /// A download changed its state, or came further.
        case download(DownloadStatus)
        /// A pack was installed, updated or removed, or found damaged.
        case pack(PackChange)
        /// A store's catalogue changed.
        case catalogue(store: String)
        /// There are newer versions of these in the stores that they came from, of which nobody was told before.
        case updates([AvailableUpdate])
        /// Another skin is in use, or the same in another version.
        ///
        /// - change: what is another; `nil` where that is so much that the skin is better read anew.
        case skin(SkinUse, change: SkinDifference?)
        /// Of a type that only a later release knows: nothing that this one could show.
        case unknown(type: String)
    }

    /// The product that it is about, where it is about one.
    public var productIdentifier: String? {
        switch happening {
        case .download(let status): status.productIdentifier
        case .pack(let change): change.productIdentifier
        case .catalogue, .updates, .skin, .unknown: nil
        }
    }

    /// The kind of the product that it is about, where it is about one and that is known.
    public var kind: ProductKind? {
        switch happening {
        case .download(let status): status.kind
        case .pack(let change): change.kind
        case .catalogue, .updates, .skin, .unknown: nil
        }
    }

    /// Whether it only says how far a download has come, so that a newer one of the same download may replace it.
    public var isProgress: Bool {
        if case .download(let status) = happening {
            status.activity == .transferring && status.state == .downloading
        } else {
            false
        }
    }
}

/// What became of a pack.
public struct PackChange: Sendable, Hashable, Codable {
    public enum Change: String, Sendable, Codable {
        case installed, updated, removed
        /// It was looked at, and is not as it was installed. Told once for what is found, and again when something else
        /// is found or the daemon was started anew.
        case damaged
    }
    public var productIdentifier: String
    public var kind: ProductKind
    public var change: Change
    @OrNull public var version: Version?
    /// How many files are not as they were installed; only with ``Change/damaged``.
    public var damages: Int?

    public init(
        productIdentifier: String, kind: ProductKind, change: Change, version: Version?, damages: Int? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.change = change
        self.version = version
        self.damages = damages
    }
}

/// A newer version of an installed pack, or why there can be none.
public struct AvailableUpdate: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var store: String
    @OrNull public var installed: Version?
    @OrNull public var available: Version?
    /// Why an update without a name leaves it alone: `held`, `withdrawn`, that it asks for more than was consented to, that
    /// its update is paused, or that its store can't be asked.
    @OrNull public var heldBack: String?
    /// What the newer version may do beyond what was consented to.
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
        case "catalogue": happening = .catalogue(store: try values.decode(String.self, forKey: .store))
        case "updates": happening = .updates(try values.decode([AvailableUpdate].self, forKey: .updates))
        case "skin":
            happening = .skin(
                try SkinUse(from: decoder), change: try values.decodeIfPresent(SkinDifference.self, forKey: .change))
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
        case .unknown(let type):
            try values.encode(type, forKey: .type)
        }
    }
}
