public import StoreModel
public import StoreSkins

extension StoreManager {
    /// Which skin is in use, and whether it is the one that was asked for.
    public nonisolated var skinUse: SkinUse { SkinUse(skins.skin, skins.status) }

    /// Uses a skin from now on.
    ///
    /// - Parameter identifier: `nil` is the default, or what can stand in for that.
    /// - Throws: `skin.…` where it can't be loaded; the one in use stays in use then.
    @discardableResult
    public func useSkin(_ identifier: String?) async throws -> SkinUse {
        try await skins.use(identifier)
        return skinUse
    }

    /// What is another between two skins for a page; `nil` where that is so much that the skin is better read anew.
    nonisolated static func difference(
        from old: ResolvedSkin, to new: ResolvedSkin, of skins: SkinsManager
    ) -> SkinDifference? {
        let change = SkinDifference(
            from: old.identifier.isEmpty ? nil : old, to: new, vocabulary: skins.settings.vocabulary,
            address: new.address)
        let count = change.identifiers.count + change.properties.count
        return count <= longestChange ? change : nil
    }

    /// How many identifiers and custom properties an event tells of at most.
    private static let longestChange = 1_000
}

extension SkinUse {
    init(_ skin: ResolvedSkin, _ status: SkinStatus) {
        let chain = status.inUse == nil ? [] : skin.chain.map(\.reference)
        self.init(
            skin: chain.first, inherits: Array(chain.dropFirst()), chosen: status.chosen, problem: status.problem)
    }
}

extension ResolvedSkin {
    /// Where the interface has an asset of this skin. Another version has another address, so that nobody shows an old
    /// image in its place.
    public var address: @Sendable (SkinAsset) -> String {
        let versions = Dictionary(chain.map { ($0.identifier, $0.version) }) { first, _ in first }
        let below = AssetAddress.below("/v1/skins")
        return { asset in
            let version = (versions[asset.skin] ?? nil).map { "?version=" + AssetAddress.encoded($0.text, but: "") }
            let parts = below(SkinAsset(skin: asset.skin, path: "files/" + asset.path))
            return parts + (version ?? "")
        }
    }

    /// Where an asset of this skin lies on this machine, as a URL; empty where it is none of its own.
    public var fileAddress: @Sendable (SkinAsset) -> String {
        { [self] asset in path(of: asset).map { "file://" + AssetAddress.encoded($0, but: "/") } ?? "" }
    }
}
