import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust

/// The publisher's private copy of the signed metadata, with drafts that wait for signatures.
///
/// It is written before the public directory is, so that a version number is never used twice. It contains all roots
/// (`1.root.json`, …), the other files under their names without version, those of publishers (`publisher.NAME.json`), and
/// drafts (`targets.draft.json`).
struct MetadataArchive {
    private let directory: Directory
    /// The number of days from the signing of a role's metadata until it expires.
    private(set) var lifetimes: [String: Int]

    private static let settings = "lifetimes.json"
    /// The lifetimes in days where the publisher has not chosen others.
    static let standardLifetimes: [SignedRole: Int] = [.root: 365, .targets: 90, .snapshot: 7, .timestamp: 1]
    /// The lifetime in days of a publisher's metadata.
    static let publisherLifetime = 90

    /// Opens the archive of a publisher's store; `nil` if the store is not signed.
    static func open(in root: Directory) throws -> MetadataArchive? {
        guard try root.status(of: StoreLayout.metadata) != nil else { return nil }
        let archive = try MetadataArchive(root.openDirectory(StoreLayout.metadata))
        // An interrupted 'key init' may have left an empty directory.
        return try archive.rootVersions().isEmpty ? nil : archive
    }

    /// Opens the archive of a publisher's directory, or creates the archive of a store that becomes signed.
    static func create(in root: Directory) throws -> MetadataArchive {
        try MetadataArchive(root.createDirectory(StoreLayout.metadata))
    }

    private init(_ directory: Directory) throws {
        self.directory = directory
        lifetimes = [:]
        if let data = try content(of: Self.settings) {
            guard let stored: [String: Int] = try? JSON.decode(from: data) else {
                throw StoreError(.storeStateUnreadable, ["path": .path(directory.path(of: Self.settings))])
            }
            lifetimes = stored
        }
    }

    private func content(of name: String) throws -> Data? {
        guard try directory.status(of: name) != nil else { return nil }
        return try directory.read(name)
    }

    // MARK: Lifetimes

    /// Returns the time from the signing of a role's metadata until it expires, in seconds.
    func lifetime(of role: SignedRole) -> TimeInterval {
        Double(lifetimes[role.rawValue] ?? Self.standardLifetimes[role] ?? Self.publisherLifetime) * 86_400
    }

    /// Stores the number of days from the signing of a role's metadata until it expires.
    mutating func setLifetime(_ days: Int, of role: TopLevelRole) throws {
        lifetimes[role.rawValue] = days
        try directory.replace(Self.settings, with: JSON.encode(lifetimes))
    }

    // MARK: Documents

    /// The versions of all roots that have enough signatures, in their order.
    func rootVersions() throws -> [Int] {
        let suffix = "." + TopLevelRole.root.file
        return try directory.entries().compactMap { entry in
            entry.name.hasSuffix(suffix) ? Int(entry.name.dropLast(suffix.count)) : nil
        }.sorted()
    }

    /// Returns a root that has enough signatures.
    func root(version: Int) throws -> SignedMetadata<Root> {
        try SignedMetadata(
            parsing: try directory.read("\(version).\(TopLevelRole.root.file)"), file: TopLevelRole.root.file)
    }

    /// Returns the newest root that has enough signatures.
    func newestRoot() throws -> SignedMetadata<Root> { try root(version: try rootVersions().last ?? 1) }

    /// Returns the first root.
    func firstRoot() throws -> SignedMetadata<Root> { try root(version: try rootVersions().first ?? 1) }

    /// Returns the newest metadata of a role other than root that has enough signatures; `nil` if there is none.
    func metadata<Role: MetadataRole>(_ role: SignedRole) throws -> SignedMetadata<Role>? {
        try content(of: Self.name(role) + ".json").map { data throws(StoreError) in
            try SignedMetadata(parsing: data, file: role.file)
        }
    }

    /// Stores metadata that has enough signatures, and removes its draft.
    func store(_ bytes: Data, of role: SignedRole, version: Int) throws {
        try directory.replace(role == .root ? "\(version).\(role.file)" : Self.name(role) + ".json", with: bytes)
        try removeDraft(of: role)
    }

    /// Returns the name of a role's file without its suffix; none of a publisher's equals that of another file.
    private static func name(_ role: SignedRole) -> String {
        role.topLevel == nil ? "publisher." + role.rawValue : role.rawValue
    }

    private static func draftName(_ role: SignedRole) -> String { name(role) + ".draft.json" }

    /// Returns the metadata of a role that waits for signatures; `nil` if there is none.
    func draft(of role: SignedRole) throws -> MetadataDocument? {
        try content(of: Self.draftName(role)).map { data throws(StoreError) in
            try MetadataDocument(parsing: data, file: role.file)
        }
    }

    /// Stores metadata of a role that waits for signatures.
    func store(draft: MetadataDocument, of role: SignedRole) throws {
        try directory.replace(Self.draftName(role), with: draft.bytes)
    }

    /// Removes the metadata of a role that waits for signatures, if there is some.
    func removeDraft(of role: SignedRole) throws { try directory.removeTree(Self.draftName(role)) }
}
