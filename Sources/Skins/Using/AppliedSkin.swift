import FoundationEssentials
import StoreSystem

/// A skin with what is known of its assets' files, to tell later what of it changed.
struct AppliedSkin: Sendable {
    let skin: ResolvedSkin
    private let files: [SkinAsset: AssetFile]

    private struct AssetFile: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let changedAt: Date
    }

    /// Looks at each asset that the skin names. Blocks.
    init(_ skin: ResolvedSkin, _ vocabulary: SkinVocabulary) {
        self.skin = skin
        var files: [SkinAsset: AssetFile] = [:]
        for entity in skin.entities {
            for asset in entity.assets(vocabulary) where files[asset] == nil {
                guard let status = try? skin.assets.folders[asset.skin]?.status(of: asset.path) else { continue }
                files[asset] = AssetFile(
                    device: status.device, inode: status.inode, size: status.size, changedAt: status.changedAt)
            }
        }
        self.files = files
    }

    /// For which identifiers another skin says something else, in the order of their bytes.
    func identifiers(changedIn other: AppliedSkin, _ vocabulary: SkinVocabulary) -> [String] {
        let (before, after) = (skin.entities, other.skin.entities)
        var (old, new, changed) = (before[...], after[...], [String]())
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
    /// The assets that its values name.
    public func assets(_ vocabulary: SkinVocabulary) -> [SkinAsset] {
        operations.flatMap { $0.parameters.flatMap { vocabulary.assets(in: $0.value) } }
    }
}
