public import FoundationEssentials

/// A numbered notification of a change in the daemon.
///
/// Events are hints, not the source of truth: a client that missed events requests a snapshot, and all events after the
/// last one it received.
public struct Event: Sendable, Hashable {
    /// The sequence number, which grows across restarts of the daemon.
    public var sequence: UInt64
    /// When the change happened.
    public var time: Date
    /// The change that the event notifies of.
    public var happening: Happening

    public init(sequence: UInt64, time: Date, happening: Happening) {
        self.sequence = sequence
        self.time = time
        self.happening = happening
    }

    /// The change that an event notifies of.
    public enum Happening: Sendable, Hashable {
        /// The status of a download changed.
        case download(DownloadStatus)
        /// A pack was installed, updated, removed, or found to be damaged.
        case pack(PackChange)
        /// A store's catalogue changed.
        case catalogue(store: String)
        /// Newer versions of installed packs became available.
        case updates([AvailableUpdate])
        /// Another skin, or another version of the skin, was applied; `change` is `nil` if the whole skin has to be
        /// read again.
        case skin(SkinUse, change: SkinDifference?)
        /// An event of a type that this release does not know.
        case unknown(type: String)
    }

    /// The product that the event is about, or `nil`.
    public var productIdentifier: String? {
        switch happening {
        case .download(let status): status.productIdentifier
        case .pack(let change): change.productIdentifier
        case .catalogue, .updates, .skin, .unknown: nil
        }
    }

    /// The kind of the product that the event is about, or `nil`.
    public var kind: ProductKind? {
        switch happening {
        case .download(let status): status.kind
        case .pack(let change): change.kind
        case .catalogue, .updates, .skin, .unknown: nil
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

/// A change of an installed pack.
public struct PackChange: Sendable, Hashable, Codable {
    /// The type of change of an installed pack.
    public enum Change: String, Sendable, Codable {
        case installed, updated, removed
        /// Verification found differences between the pack and its receipt.
        ///
        /// Published once for the same differences until the daemon restarts.
        case damaged
    }
    public var productIdentifier: String
    public var kind: ProductKind
    public var change: Change
    @OrNull public var version: Version?
    /// The number of damaged files; only for ``Change/damaged``, else `nil`.
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

/// An update that is available for an installed pack, with the reason if `update` would skip it.
public struct AvailableUpdate: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var store: String
    @OrNull public var installed: Version?
    @OrNull public var available: Version?
    /// Why `update` without a name skips the pack; `nil` if it does not.
    ///
    /// The pack is `held` or `withdrawn`, requests further permissions, its update is paused, or its store is
    /// unreachable.
    @OrNull public var heldBack: String?
    /// The permissions of the newer version that were not granted yet.
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
