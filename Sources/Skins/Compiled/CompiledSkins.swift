import FoundationEssentials
import StoreModel
import StoreSystem

/// Loads skins from their compiled form, and makes that where it is missing, damaged, or older than a source.
///
/// The compiled files lie in a folder of their own, one for a skin and idiom, and may be deleted at any time: nothing else
/// may be in it. The same folder may be used by several processes.
public struct CompiledSkins: Sendable {
    public let reader: SkinReader
    private let path: String
    private let cache: AssetCache
    private let fingerprint: UInt64

    /// - Parameters:
    ///   - path: of the folder, which is made when it is needed.
    ///   - cache: what images are kept in that ask for it.
    public init(folder path: String, reader: SkinReader = SkinReader(), cache: AssetCache = AssetCache()) {
        self.path = path
        self.reader = reader
        self.cache = cache
        fingerprint = reader.vocabulary.fingerprint
    }

    /// A skin that was loaded.
    public struct Loaded: Sendable {
        public let skin: ResolvedSkin
        /// Whether it was there compiled, and no XML was read.
        public let wasCompiled: Bool
        /// What was not understood; empty where no XML was read.
        public let warnings: [SkinWarning]
        /// Why the compiled form could not be kept, so that XML will be read the next time too.
        public let notKept: (any Error)?
    }

    /// Loads a skin. Blocks; where a source changed less than a moment ago, until a change after this one would be seen.
    ///
    /// - Parameter chain: from ``SkinFolder/chain(of:find:)``; not empty.
    /// - Throws: ``SkinError`` with file and line where XML is read and refused; what the disk says.
    public func load(_ chain: [SkinFolder], for idiom: SkinIdiom) throws -> Loaded {
        if let skin = compiled(chain, for: idiom) {
            return Loaded(skin: skin, wasCompiled: true, warnings: [], notKept: nil)
        }
        return try compile(chain, for: idiom)
    }

    /// Reads a skin's XML and keeps its compiled form, whether or not there is one. Blocks as ``load(_:for:)``.
    public func compile(_ chain: [SkinFolder], for idiom: SkinIdiom) throws -> Loaded {
        let sources = try SkinSources.settled(chain)
        let (skin, warnings) = try reader.read(chain, files: sources.files, for: idiom, cache: cache)
        var notKept: (any Error)?
        if sources.isSettled {
            do {
                try keep(skin, sources.stamps)
            } catch {
                notKept = error
            }
        }
        return Loaded(skin: skin, wasCompiled: false, warnings: warnings, notKept: notKept)
    }

    /// Removes the compiled forms of all other skins.
    ///
    /// - Parameter identifiers: of those that are still there.
    public func removeAll(but identifiers: [String]) throws {
        let kept = Set(identifiers.flatMap { name in SkinIdiom.all.map { fileName(name, $0) } })
        guard let folder = try? Directory.open(path) else { return }
        for entry in try folder.entries() where entry.kind == .file && !kept.contains(entry.name) {
            try folder.removeTree(entry.name)
        }
    }

    // MARK: Files

    /// - Returns: `nil` where there is none that can be used: whatever is wrong with it, the XML has everything.
    private func compiled(_ chain: [SkinFolder], for idiom: SkinIdiom) -> ResolvedSkin? {
        guard let first = chain.first,
            let mapped = try? OpenFile.open(path + "/" + fileName(first.identifier, idiom)).map(),
            let compiled = try? CompiledSkin(.mapped(mapped), fingerprint: fingerprint),
            compiled.idiom == idiom, compiled.chain.map(\.identifier) == chain.map(\.identifier),
            let sources = compiled.sources,
            SkinSources.isFresh(sources, chain)
        else { return nil }
        return ResolvedSkin(
            idiom: idiom, chain: compiled.chain, store: compiled, assets: SkinAssets(chain, cache: cache))
    }

    /// Not synced: what a power cut tears is noticed, and made anew.
    private func keep(_ skin: ResolvedSkin, _ sources: [SourceStamp]) throws {
        let bytes = try CompiledSkinWriter.write(skin, skin.entities, sources: sources, fingerprint: fingerprint)
        let folder = try Directory.create(path)
        let name = fileName(skin.identifier, skin.idiom)
        let temporary = name + ".new"
        try folder.removeTree(temporary)
        let file = try folder.createFile(temporary, mode: 0o600)
        do {
            try file.write(bytes, at: 0)
            try folder.rename(temporary, to: folder, as: name, replacing: true)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    private func fileName(_ identifier: String, _ idiom: SkinIdiom) -> String {
        PackDirectoryName(productIdentifier: identifier).text + "~" + idiom.word + ".skin"
    }
}
