import StoreSystem

/// A reader that creates skins from their XML files, with the components and types that they may use.
public struct SkinReader: Sendable {
    /// The components, operations and object types that the XML files of skins may use.
    public let vocabulary: SkinVocabulary
    /// The maximum size of a skin with its inherited values as a style sheet, estimated, in bytes.
    public let sizeLimit: Int

    /// The default of ``sizeLimit``, 32 MiB.
    public static let defaultSizeLimit = 32 << 20

    /// Creates a reader for skins that may use the components and types of a vocabulary.
    ///
    /// - Parameter sizeLimit: the maximum size of a skin as a style sheet, in bytes. The files of a skin do not limit it:
    ///   thousands of instances may have the same class.
    public init(vocabulary: SkinVocabulary = .standard, sizeLimit: Int = SkinReader.defaultSizeLimit) {
        self.vocabulary = vocabulary
        self.sizeLimit = sizeLimit
    }

    /// Reads a skin from XML files, with everything that it inherits from other skins.
    ///
    /// Blocks while the files are read.
    ///
    /// - Parameters:
    ///   - chain: the result of ``SkinDirectory/chain(of:find:)``; not empty.
    ///   - cache: stores the images for which the skin requests caching.
    /// - Returns: the skin, and a warning for each item that was skipped.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func read(
        _ chain: [SkinDirectory], for idiom: SkinIdiom, cache: AssetCache = AssetCache(limit: 0)
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        try read(chain, files: chain.map { try SkinFiles($0.directory) }, for: idiom, cache: cache)
    }

    func read(
        _ chain: [SkinDirectory], files: [SkinFiles], for idiom: SkinIdiom, cache: AssetCache
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        var resolver = SkinResolver(chain, files: files, idiom: idiom, vocabulary: vocabulary, sizeLimit: sizeLimit)
        let (entities, warnings) = try resolver.resolve()
        let links = chain.map {
            ResolvedSkin.Link(identifier: $0.identifier, name: $0.information.name, version: $0.information.version)
        }
        let skin = ResolvedSkin(
            idiom: idiom, chain: links, store: EntityList(entities: entities), assets: SkinAssets(chain, cache: cache))
        return (skin, warnings)
    }

    /// Reads a skin from XML files for every device idiom (phone, tablet, desktop), to find all warnings.
    ///
    /// Blocks while the files are read.
    ///
    /// - Returns: the distinct warnings about the skin's own files and those of its ancestors.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func check(_ chain: [SkinDirectory]) throws -> [SkinWarning] {
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
