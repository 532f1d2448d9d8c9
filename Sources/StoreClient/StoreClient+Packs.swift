public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    /// Returns the installed packs, all or only some of them.
    ///
    /// - Parameters:
    ///   - kind: the kind of the packs; `nil` for all kinds.
    ///   - updatableOnly: whether to return only packs of which their store has a newer version.
    ///   - unneededOnly: whether to return only packs that were installed for other products, and that nothing needs any
    ///     more.
    public func packs(
        kind: ProductKind? = nil, updatableOnly: Bool = false, unneededOnly: Bool = false
    ) async throws -> [InstalledPack] {
        let resource = Resource("packs").with("kind", kind?.rawValue).with("updatable", updatableOnly ? "true" : nil)
            .with("unneeded", unneededOnly ? "true" : nil)
        let list: PackList = try await list(resource)
        return list.packs
    }

    /// Returns all installed packs, and those whose directory is missing.
    public func packList() async throws -> PackList { try await list(Resource("packs")) }

    public func pack(_ productIdentifier: String) async throws -> InstalledPack {
        try await get(Resource("packs", productIdentifier))
    }

    /// Returns the content of one file of an installed pack.
    ///
    /// - Parameters:
    ///   - path: the file's path in the pack's directory.
    ///   - operation: the operation that installed the requested version, as the list of packs contains it, so that
    ///     several files are read from the same version; `nil` for the version that is installed now.
    /// - Throws: `pack.replaced` where that version is neither installed nor the previous version any more.
    public func file(
        _ path: String, of productIdentifier: String, by operation: OperationID? = nil
    ) async throws -> Data {
        let resource = Resource("packs", productIdentifier, "files").below(path)
        let (content, _) = try await content(of: resource.with("operation", operation?.rawValue))
        return content
    }

    /// Removes an installed pack and its previous version.
    ///
    /// - Parameters:
    ///   - successor: the skin to apply instead, where the removed pack is the skin in use.
    ///   - agreed: the ``StoreModel/ChangePlan/Step/id`` of the pack's step in the plan that the user agreed to; if
    ///     another version of the pack is installed by now, the error is `conflict.plan-changed`. `nil` removes any
    ///     version.
    public func uninstall(
        _ productIdentifier: String, using successor: String? = nil, agreed: String? = nil
    ) async throws -> Uninstallation {
        try await ask("DELETE", Resource("packs", productIdentifier).with("use", successor).with("agreed", agreed))
    }

    /// Sets whether an installed pack is held: a held pack is updated only by an ``update(_:)`` that names it.
    public func setHeld(_ productIdentifier: String, _ held: Bool) async throws -> InstalledPack {
        try await ask("PATCH", Resource("packs", productIdentifier), body: PackChangeRequest(held: held))
    }

    /// Restores the previous version of an installed pack and holds it, so that updates skip it.
    public func rollback(_ productIdentifier: String) async throws -> OperationRecord {
        try await ask("POST", Resource("packs", productIdentifier, "rollback"))
    }

    /// Compares the files of an installed pack with its receipt, which lists the hashes of all its files.
    public func verify(_ productIdentifier: String) async throws -> VerificationDocument {
        try await ask("POST", Resource("packs", productIdentifier, "verify"))
    }

    /// Begins the repair of an installed pack's damaged files, and returns without waiting for its end.
    public func beginRepair(_ productIdentifier: String) async throws -> Installation {
        try await ask("POST", Resource("packs", productIdentifier, "repair"))
    }

    // MARK: Updates

    /// Returns the available updates of installed packs, and the reasons why some are held back.
    ///
    /// Catalogues that are older than the setting `updates.refreshAfter` allows are fetched first.
    public func updates() async throws -> UpdateList {
        try await get(Resource("updates"))
    }

    /// Begins the update of some installed packs, or of all that are not held, and returns without waiting for the end.
    ///
    /// Each pack is updated to the version that its own store offers. Each result has the operation or the error.
    ///
    /// - Parameters:
    ///   - consent: the permissions that the user granted to the new versions and their dependencies.
    ///   - agreed: the ``StoreModel/ChangePlan/agreement`` of the plan that the user agreed to; a result that would need
    ///     anything else has the error `conflict.plan-changed`. `nil` does whatever is needed.
    public func update(
        _ productIdentifiers: [String]? = nil, consent: Consent = [], agreed: Set<String>? = nil
    ) async throws -> [OperationResult] {
        let request = UpdateRequest(
            productIdentifiers: productIdentifiers, consent: consent.toAll, consents: consent.wireForm, agreed: agreed)
        let list: OperationResultList = try await ask("POST", Resource("updates"), body: request)
        return list.results
    }
}
