public import FoundationEssentials

/// A change of a store that the user added, as an event reports it: its new description, or its removal.
public struct StoreChange: Sendable, Hashable, Codable {
    /// The name of the store.
    public var store: String
    /// The description of the store after the change; `nil` if the store was removed.
    @OrNull public var summary: StoreSummary?

    public init(store: String, summary: StoreSummary?) {
        self.store = store
        self.summary = summary
    }
}

/// The basis on which the catalogue of a store is accepted.
public enum StoreTrust: String, Sendable, Codable, CaseIterable {
    /// The user accepted the store without a signature.
    case unsigned
    /// The store's catalogue is accepted only with a valid signature.
    case signed
}

/// A change of the basis on which a store's catalogue is accepted, as an event reports it.
public struct TrustChange: Sendable, Hashable, Codable {
    /// The name of the store.
    public var store: String
    /// The basis on which the store is accepted now; `nil` if the store was removed.
    @OrNull public var trust: StoreTrust?
    /// The fingerprint of the root with which a signed store was added; `nil` for other stores.
    @OrNull public var fingerprint: String?
    /// The version of the root that is trusted now; `nil` if the store is not signed.
    @OrNull public var rootVersion: Int?

    public init(store: String, trust: StoreTrust?, fingerprint: String? = nil, rootVersion: Int? = nil) {
        self.store = store
        self.trust = trust
        self.fingerprint = fingerprint
        self.rootVersion = rootVersion
    }

    /// Returns the change from one description of a store to another; `nil` if the basis of trust is the same.
    public static func between(_ old: StoreSummary?, _ new: StoreSummary?, of store: String) -> TrustChange? {
        let changes = [old, new].map { summary in
            TrustChange(
                store: store, trust: summary?.trust, fingerprint: summary?.signature?.fingerprint,
                rootVersion: summary?.signature?.rootVersion)
        }
        return changes[0] == changes[1] ? nil : changes[1]
    }
}

extension StoreSummary {
    /// The basis on which the store's catalogue is accepted.
    public var trust: StoreTrust { unsigned ? .unsigned : .signed }
}

/// A change of the user's list of purchases, as an event reports it: a new purchase, or one that was revoked.
public struct PurchaseChange: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// When the purchase was recorded; `nil` if it was revoked.
    @OrNull public var grantedAt: Date?

    public init(productIdentifier: String, grantedAt: Date?) {
        self.productIdentifier = productIdentifier
        self.grantedAt = grantedAt
    }
}

/// The value of one setting of the daemon, and where it comes from, as snapshots and events contain it.
public struct SettingState: Sendable, Hashable, Codable {
    /// The name of the setting, such as `downloads.attempts`.
    public var key: String
    /// The value of the setting as text, whatever the type of the setting.
    public var value: String
    /// The source of the setting's value: `default`, the path of a file, or the name of an environment variable.
    public var origin: String

    public init(key: String, value: String, origin: String) {
        self.key = key
        self.value = value
        self.origin = origin
    }
}
