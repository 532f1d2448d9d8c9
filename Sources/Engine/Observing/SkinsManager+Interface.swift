public import StoreModel
public import StoreSkins

extension SkinsManager {
    /// The skin in use, together with the skin that the user chose if that is another one.
    public var skinUse: SkinUse { SkinUse(skin, status) }

    /// Applies a skin, while neither it nor a skin that it inherits from can be uninstalled.
    ///
    /// - Parameter identifier: the skin to use; `nil` for the default skin.
    /// - Throws: `conflict.busy` if one of these skins is being uninstalled or rolled back; the errors of ``use(_:)``.
    func use(_ identifier: String?, locking locks: ProductLocks) async throws {
        let skin = identifier ?? settings.defaultSkin
        // The error of a skin that can't be loaded is that of using it.
        let ancestors = (try? await resolved(skin))?.chain.map(\.identifier) ?? []
        let products = Set(ancestors + [skin])
        try locks.lock(products)
        defer { locks.unlock(products) }
        try await use(identifier)
    }
}

extension SkinUse {
    init(_ skin: ResolvedSkin, _ status: SkinStatus) {
        let chain = status.inUse == nil ? [] : skin.chain.map(\.reference)
        self.init(
            skin: chain.first, inherits: Array(chain.dropFirst()), chosen: status.chosen, problem: status.problem)
    }
}

extension ResolvedSkin {
    /// A function that returns the HTTP path at which the daemon serves an asset of this skin, such as an image.
    ///
    /// Another version of the skin has other paths, so that no client shows an old image from its cache.
    public var address: @Sendable (SkinAsset) -> String {
        let versions = Dictionary(chain.map { ($0.identifier, $0.version) }) { first, _ in first }
        let below = AssetAddress.below("/v1/skins")
        return { asset in
            let version = (versions[asset.skin] ?? nil).map { "?version=" + AssetAddress.encoded($0.text, but: "") }
            let parts = below(SkinAsset(skin: asset.skin, path: "files/" + asset.path))
            return parts + (version ?? "")
        }
    }

    /// A function that returns the `file:` URL of an asset of this skin, such as an image.
    ///
    /// It returns an empty string if the skin has no such asset.
    public var fileAddress: @Sendable (SkinAsset) -> String {
        { [self] asset in path(of: asset).map { "file://" + AssetAddress.encoded($0, but: "/") } ?? "" }
    }
}
