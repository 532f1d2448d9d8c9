public import FoundationEssentials
public import StoreModel

/// `POST /v1/downloads`: install a product, or join the task that runs for it.
public struct InstallRequest: Sendable, Codable {
    public var productIdentifier: String
    /// The store to take it from; without one, the store of highest priority that has it.
    public var store: String?
    /// Instead of a store: the absolute path of a ZIP on this machine, installed as if from an unsigned store.
    public var file: String?
    /// What somebody allowed that it, and what it needs, may do.
    public var consent: Set<Permission>?
    /// Among downloads that wait for their turn the higher comes first; 0 unless given. One that runs already gets it, too.
    public var priority: Int?
    /// Bytes that it, and what it needs, may bring in a second, each; without one or with 0, as many as the settings
    /// allow. One that runs already gets it, too.
    public var rateLimit: Int?

    public init(
        productIdentifier: String, store: String? = nil, file: String? = nil, consent: Set<Permission>? = nil,
        priority: Int? = nil, rateLimit: Int? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.file = file
        self.consent = consent
        self.priority = priority
        self.rateLimit = rateLimit
    }
}

/// `PATCH /v1/downloads/{id}`: one of them at least.
public struct DownloadChangeRequest: Sendable, Codable {
    /// Whether it is to wait until somebody says that it may go on.
    public var paused: Bool?
    /// Among those that wait for their turn the higher comes first.
    public var priority: Int?
    /// Bytes that may come in a second; 0 is without a limit of its own.
    public var rateLimit: Int?

    public init(paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil) {
        self.paused = paused
        self.priority = priority
        self.rateLimit = rateLimit
    }
}

/// `POST /v1/stores`: use a store.
public struct AddStoreRequest: Sendable, Codable {
    public var name: String
    public var url: URL
    /// Take it although it is not signed.
    public var unsigned: Bool?
    /// 0 unless given.
    public var priority: Int?
    /// What proves to the store who asks; it is kept, and no answer ever holds it.
    public var token: String?
    /// Take user and password from the user's `.netrc`.
    public var netrc: Bool?

    public init(
        name: String, url: URL, unsigned: Bool? = nil, priority: Int? = nil, token: String? = nil, netrc: Bool? = nil
    ) {
        self.name = name
        self.url = url
        self.unsigned = unsigned
        self.priority = priority
        self.token = token
        self.netrc = netrc
    }
}

/// `POST /v1/updates`: bring these packs, or all that are not held, to the version of their stores.
public struct UpdateRequest: Sendable, Codable {
    public var productIdentifiers: [String]?
    /// What somebody allowed that the new versions, and what they need, may do.
    public var consent: Set<Permission>?

    public init(productIdentifiers: [String]? = nil, consent: Set<Permission>? = nil) {
        self.productIdentifiers = productIdentifiers
        self.consent = consent
    }
}

/// `PATCH /v1/packs/{id}`.
public struct PackChangeRequest: Sendable, Codable {
    public var held: Bool
    public init(held: Bool) { self.held = held }
}

/// `PUT /v1/config/{key}`.
public struct SettingRequest: Sendable, Codable {
    /// As text, whatever the setting's type.
    public var value: String
    public init(value: String) { self.value = value }
}
