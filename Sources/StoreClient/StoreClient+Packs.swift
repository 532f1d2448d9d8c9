public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    /// What is installed.
    public func packs(kind: ProductKind? = nil, updatableOnly: Bool = false) async throws -> [InstalledPack] {
        let resource = Resource("packs").with("kind", kind?.rawValue).with("updatable", updatableOnly ? "true" : nil)
        let list: PackList = try await list(resource)
        return list.packs
    }

    public func pack(_ productIdentifier: String) async throws -> InstalledPack {
        try await get(Resource("packs", productIdentifier))
    }

    /// One file of a pack.
    ///
    /// - Parameters:
    ///   - path: relative to the pack's folder.
    ///   - operation: of the pack as it was listed: only a file of that version. Who reads one file after another so never
    ///     gets half of one version and half of the next. Without it, of the version that is installed now.
    /// - Throws: `pack.replaced` where that version is neither installed nor the version before any more.
    public func file(
        _ path: String, of productIdentifier: String, by operation: OperationID? = nil
    ) async throws -> Data {
        let resource = Resource("packs", productIdentifier, "files").below(path)
        return try await exchange("GET", resource.with("operation", operation?.rawValue)).body
    }

    /// Removes a pack, and the version before it.
    ///
    /// - Parameter successor: of a skin in use: the skin that is used from then on.
    public func uninstall(_ productIdentifier: String, using successor: String? = nil) async throws -> Uninstallation {
        try await ask("DELETE", Resource("packs", productIdentifier).with("use", successor))
    }

    /// Keeps a pack from being updated by an ``update(_:)`` that does not name it, or lets it be updated again.
    public func setHeld(_ productIdentifier: String, _ held: Bool) async throws -> InstalledPack {
        try await ask("PATCH", Resource("packs", productIdentifier), body: PackChangeRequest(held: held))
    }

    /// Brings back the version before, and holds it.
    public func rollback(_ productIdentifier: String) async throws -> OperationRecord {
        try await ask("POST", Resource("packs", productIdentifier, "rollback"))
    }

    /// Compares a pack's files with what was installed.
    public func verify(_ productIdentifier: String) async throws -> VerificationDocument {
        try await ask("POST", Resource("packs", productIdentifier, "verify"))
    }

    /// Begins to put right what is damaged in a pack, and does not wait.
    public func beginRepair(_ productIdentifier: String) async throws -> Installation {
        try await ask("POST", Resource("packs", productIdentifier, "repair"))
    }

    // MARK: Updates

    /// What could be updated, and why not what is not. Refreshes what is older than a setting.
    public func updates() async throws -> UpdateList {
        try await get(Resource("updates"))
    }

    /// Begins to bring these packs, or all that are not held, to the version of the stores that they came from, and
    /// does not wait. Each result has the operation that was begun, or the error.
    ///
    /// - Parameter consent: what somebody allowed that the new versions, and what they need, may do.
    public func update(
        _ productIdentifiers: [String]? = nil, consent: Set<Permission> = []
    ) async throws -> [OperationResult] {
        let request = UpdateRequest(productIdentifiers: productIdentifiers, consent: consent)
        let list: OperationResultList = try await ask("POST", Resource("updates"), body: request)
        return list.results
    }

    // MARK: Content managers

    /// The sticker packs of the library.
    public func stickerPacks() async throws -> [StickerPack] {
        try await get(Resource("stickers"), as: StickerPackList.self).packs
    }

    /// One sticker pack, with its stickers.
    public func stickerPack(_ productIdentifier: String) async throws -> StickerPack {
        try await get(Resource("stickers", productIdentifier))
    }
}
