import FoundationEssentials
import StoreSystem

/// The folders of a chain of skins, and the memory that their images are kept in.
struct SkinAssets: Sendable {
    /// By the skin's identifier.
    let folders: [String: Directory]
    let cache: AssetCache

    init(_ chain: [SkinFolder], cache: AssetCache) {
        folders = Dictionary(chain.map { ($0.identifier, $0.directory) }) { first, _ in first }
        self.cache = cache
    }

    func bytes(of asset: SkinAsset) throws -> [UInt8] {
        guard let folder = folders[asset.skin] else {
            throw SkinError(
                .skinMissing,
                "The asset '\(asset.path)' is of the skin '\(asset.skin)', which is not in use. Ask that one.")
        }
        // What a compiled file that somebody forged says, or a caller.
        guard asset.path.hasPrefix(AssetIndex.folderName + "/"),
            !asset.path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw SkinError(
                .skinUnknownAsset, "'\(asset.path)' is no asset of the skin '\(asset.skin)'. Name one of its assets.")
        }
        return try cache.bytes(of: asset, in: folder)
    }

    func path(of asset: SkinAsset) -> String? { folders[asset.skin]?.path(of: asset.path) }
}
