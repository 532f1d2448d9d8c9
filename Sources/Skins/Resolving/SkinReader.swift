import StoreSystem

/// Reads skins from their XML.
public struct SkinReader: Sendable {
    public let vocabulary: SkinVocabulary

    public init(vocabulary: SkinVocabulary = .standard) { self.vocabulary = vocabulary }

    /// Reads a skin and all that it inherits from. Blocks.
    ///
    /// - Parameters:
    ///   - chain: from ``SkinFolder/chain(of:find:)``; not empty.
    ///   - cache: what images are kept in that ask for it.
    /// - Returns: the skin, and what was not understood and left out.
    /// - Throws: ``SkinError`` with file and line where a file is refused; what the disk says.
    public func read(
        _ chain: [SkinFolder], for idiom: SkinIdiom, cache: AssetCache = AssetCache(limit: 0)
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        try read(chain, files: chain.map { try SkinFiles($0.directory) }, for: idiom, cache: cache)
    }

    func read(
        _ chain: [SkinFolder], files: [SkinFiles], for idiom: SkinIdiom, cache: AssetCache
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        var resolver = SkinResolver(chain, files: files, idiom: idiom, vocabulary: vocabulary)
        let (entities, warnings) = try resolver.run()
        let skin = ResolvedSkin(
            idiom: idiom, chain: chain.map(\.link), store: EntityList(entities: entities),
            assets: SkinAssets(chain, cache: cache))
        return (skin, warnings)
    }

    /// Reads a skin for every idiom. Blocks.
    ///
    /// - Returns: what is not understood in its own files and in those that it inherits from, each once.
    /// - Throws: ``SkinError`` with file and line where a file is refused; what the disk says.
    public func check(_ chain: [SkinFolder]) throws -> [SkinWarning] {
        let files = try chain.map { try SkinFiles($0.directory) }
        var warnings = WarningList()
        for idiom in SkinIdiom.all {
            for warning in try read(chain, files: files, for: idiom, cache: AssetCache(limit: 0)).warnings {
                warnings.add(warning)
            }
        }
        return warnings.all
    }
}

extension SkinFolder {
    var link: ResolvedSkin.Link {
        ResolvedSkin.Link(identifier: identifier, name: information.name, version: information.version)
    }
}
