/// What a request to install, update or uninstall products would change, computed before anything is changed.
///
/// A request to install or update that names the ``Step/id`` of all steps in its member `agreed` does nothing that the
/// plan does not show; neither does the request to remove one pack that names the step of this pack.
public struct ChangePlan: Sendable, Hashable, Codable {
    /// The requests that a plan can be made for.
    public enum Action: String, Sendable, Codable, CaseIterable {
        case install, update, uninstall
    }

    /// A product that a plan is made for: one of a store, or a ZIP file of this machine.
    public struct Product: Sendable, Hashable, Codable {
        /// The identifier of the product; `nil` if the product is a file.
        public var productIdentifier: String?
        /// The name of the store to install the product from; `nil` is the one that an installation would choose.
        public var store: String?
        /// The absolute path of the ZIP file to install; `nil` for a product of a store.
        public var file: String?

        /// Creates the description of a product of a store that a plan is made for.
        public init(_ productIdentifier: String, store: String? = nil) {
            self.productIdentifier = productIdentifier
            self.store = store
        }

        /// Creates the description of a ZIP file that a plan is made for, by its absolute path.
        public init(file path: String) { file = path }

        /// The product's identifier, or else the path of its file, by which failures name it.
        public var name: String { file ?? productIdentifier ?? "" }
    }

    /// The change of one product in a plan, such as its installation.
    public struct Step: Sendable, Hashable, Codable {
        /// A text that is equal for two steps only if both do the same: with the same archive, of the same store.
        public var id: String
        public var action: OperationAction
        public var productIdentifier: String
        /// The name of the store that the product comes from; `nil` if it was removed or never known.
        @OrNull public var store: String?
        /// Whether the catalogue of the store is verified with its signatures; `nil` if that is not known, as for a file.
        @OrNull public var signed: Bool?
        public var kind: ProductKind
        /// The display name of the product.
        public var name: String
        /// The version that is installed now; `nil` if none is, or if it is unknown.
        @OrNull public var installed: Version?
        /// The version that is installed after the step; `nil` after a removal, or if it is unknown.
        @OrNull public var version: Version?
        /// The identifier of the product that needs this one; `nil` if the request is for this product itself.
        @OrNull public var requiredBy: String?
        /// The size in bytes of the archive to download, which is the most that is fetched; `nil` if it is unknown, and if
        /// there is none.
        @OrNull public var downloadSize: Int?
        /// The size in bytes of the files that the step installs or removes; `nil` if it is unknown.
        @OrNull public var diskSize: Int?
        /// The permissions that the product requests and the user has not granted yet.
        public var permissions: [Permission]
        /// What an update changes, as the publisher describes it; `nil` if the store has no such text.
        @OrNull public var changes: LocalizedText?

        public init(
            id: String, action: OperationAction, productIdentifier: String, store: String?, signed: Bool? = nil,
            kind: ProductKind,
            name: String, installed: Version? = nil, version: Version? = nil, requiredBy: String? = nil,
            downloadSize: Int? = nil, diskSize: Int? = nil, permissions: [Permission] = [],
            changes: LocalizedText? = nil
        ) {
            self.id = id
            self.action = action
            self.productIdentifier = productIdentifier
            self.store = store
            self.signed = signed
            self.kind = kind
            self.name = name
            self.installed = installed
            self.version = version
            self.requiredBy = requiredBy
            self.downloadSize = downloadSize
            self.diskSize = diskSize
            self.permissions = permissions
            self.changes = changes
        }

        /// Whether less than ``downloadSize`` may be fetched, because parts of the archive are installed already.
        ///
        /// How much it is can be known only when the download has begun: the list of the archive's files is fetched then.
        public var mayFetchParts: Bool { [.update, .repair].contains(action) && downloadSize != nil }
    }

    /// A product of a plan that can't be changed, and the reason.
    public struct Failure: Sendable, Hashable, Codable {
        /// The identifier of the product, or the path of its file, as the request for the plan names it.
        public var productIdentifier: String
        public var error: ErrorReport

        /// Creates a plan's failure for one product, with its reason.
        public init(productIdentifier: String, error: ErrorReport) {
            self.productIdentifier = productIdentifier
            self.error = error
        }
    }

    /// The changes of single products, in the order in which they begin; empty if there is nothing to do.
    public var steps: [Step]
    /// The newer versions that an update of all packs leaves out, with the reasons.
    public var keptBack: [AvailableUpdate]
    /// The identifiers of the packs that no installed pack requires after a removal, and that were installed as dependencies.
    public var unneeded: [String]
    /// The products that can't be changed, with the reasons.
    public var failures: [Failure]
    /// The size in bytes of all archives to download, which is the most that is fetched; `nil` if one of them is unknown.
    @OrNull public var downloadSize: Int?
    /// The size in bytes of all files that the steps install, or that a removal frees; `nil` if one of them is unknown.
    @OrNull public var diskSize: Int?
    /// The number of free bytes on the disk of the packs; `nil` if it is unknown.
    @OrNull public var freeSpace: Int?
    /// For each store that did not respond, or whose catalogue is out of date, a message with the reason; and one if
    /// there may be too little free space.
    public var warnings: [String]

    /// Creates a plan of steps, and computes the sizes of all steps together.
    public init(
        steps: [Step], keptBack: [AvailableUpdate] = [], unneeded: [String] = [], failures: [Failure] = [],
        freeSpace: Int? = nil, warnings: [String] = []
    ) {
        self.steps = steps
        self.keptBack = keptBack
        self.unneeded = unneeded
        self.failures = failures
        self.freeSpace = freeSpace
        self.warnings = warnings
        downloadSize = Self.total(steps.map { $0.action == .uninstall ? 0 : $0.downloadSize })
        diskSize = Self.total(steps.map(\.diskSize))
    }

    /// Returns the sum of sizes; `nil` if one is unknown, or if the sum is too large, as a store may state any size.
    private static func total(_ sizes: [Int?]) -> Int? {
        let known = sizes.compactMap(\.self)
        return known.count == sizes.count ? known.checkedSum : nil
    }

    /// Whether less than ``downloadSize`` may be fetched, because parts of the archives are installed already.
    public var mayFetchParts: Bool { steps.contains(where: \.mayFetchParts) }

    /// The identifiers of all steps, which a request sends so that it does nothing else.
    public var agreement: Set<String> { Set(steps.map(\.id)) }
}
