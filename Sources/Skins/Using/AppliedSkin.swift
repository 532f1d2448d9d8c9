import FoundationEssentials
import StoreSystem

/// A resolved skin with the identities of its asset files, for comparison with its successor.
struct AppliedSkin: Sendable {
    let skin: ResolvedSkin
    private let files: [SkinAsset: AssetFile]

    private struct AssetFile: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let changedAt: Date
    }

    /// Records the identity of each asset that the skin names. Blocks.
    init(_ skin: ResolvedSkin, _ vocabulary: SkinVocabulary) {
        self.skin = skin
        var files: [SkinAsset: AssetFile] = [:]
        for entity in skin.entities {
            for asset in entity.assets(vocabulary) where files[asset] == nil {
                guard let status = try? skin.assets.directories[asset.skin]?.status(of: asset.path) else { continue }
                files[asset] = AssetFile(
                    device: status.device, inode: status.inode, size: status.size, changedAt: status.changedAt)
            }
        }
        self.files = files
    }

    /// Returns the identifiers whose definition differs in another skin, in byte order.
    func identifiers(changedIn other: AppliedSkin, _ vocabulary: SkinVocabulary) -> [String] {
        var (old, new, changed) = (skin.entities[...], other.skin.entities[...], [String]())
        while let a = old.first, let b = new.first {
            if a.identifier.isBefore(b.identifier) {
                changed.append(a.identifier)
                old.removeFirst()
            } else if b.identifier.isBefore(a.identifier) {
                changed.append(b.identifier)
                new.removeFirst()
            } else {
                if a != b || b.assets(vocabulary).contains(where: { files[$0] != other.files[$0] }) {
                    changed.append(b.identifier)
                }
                old.removeFirst()
                new.removeFirst()
            }
        }
        return changed + old.map(\.identifier) + new.map(\.identifier)
    }
}

extension SkinEntity {
    /// Returns the assets that the entity's values name.
    public func assets(_ vocabulary: SkinVocabulary) -> [SkinAsset] {
        operations.flatMap { $0.parameters.flatMap { vocabulary.assets(in: $0.value) } }
    }
}
