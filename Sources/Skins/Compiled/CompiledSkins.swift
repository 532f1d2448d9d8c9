import FoundationEssentials
import StoreModel
import StoreSystem

/// A loader that reads skins from their compiled (binary) files, and compiles those that are missing or outdated.
///
/// The compiled files, one for each skin and idiom, are in a directory of their own that contains nothing else. They may
/// be deleted at any time, and several processes may use the directory.
public struct CompiledSkins: Sendable {
    /// The reader for skins that have to be compiled from their XML files.
    public let reader: SkinReader
    private let path: String
    private let cache: AssetCache
    private let fingerprint: UInt64

    /// Creates a loader that keeps compiled skin files in a directory.
    ///
    /// - Parameters:
    ///   - path: the directory of compiled files, which is created when it is needed.
    ///   - cache: stores the images for which skins request caching.
    public init(directory path: String, reader: SkinReader = SkinReader(), cache: AssetCache = AssetCache()) {
        self.path = path
        self.reader = reader
        self.cache = cache
        // A skin that the limit refuses must not be used because it was compiled under another one.
        fingerprint =
            reader.vocabulary.fingerprint ^ UInt64(truncatingIfNeeded: reader.sizeLimit) &* 0x9E37_79B9_7F4A_7C15
    }

    /// A skin that was loaded, with whether its compiled file was used, and warnings.
    public struct Loaded: Sendable {
        public let skin: ResolvedSkin
        /// Whether the skin's compiled file was used, so that no XML had to be read.
        public let wasCompiled: Bool
        /// A warning for each item of the skin's XML that was skipped; empty if the compiled file was used.
        public let warnings: [SkinWarning]
        /// The error that prevented saving the skin's compiled file; `nil` if there was none.
        ///
        /// After such an error XML is read again the next time.
        public let saveError: (any Error)?
    }

    /// Loads a skin from its compiled file, or compiles it first.
    ///
    /// `chain` is the skin and the skins that it inherits from.
    ///
    /// Blocks, up to 60 ms longer if a source has just been changed (see ``SkinSources``).
    ///
    /// - Parameter chain: the result of ``SkinDirectory/chain(of:find:)``; not empty.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func load(_ chain: [SkinDirectory], for idiom: SkinIdiom) throws -> Loaded {
        if let skin = compiled(chain, for: idiom) {
            return Loaded(skin: skin, wasCompiled: true, warnings: [], saveError: nil)
        }
        return try compile(chain, for: idiom)
    }

    /// Compiles a skin from XML even if its compiled file is up to date.
    ///
    /// Blocks like ``load(_:for:)``.
    public func compile(_ chain: [SkinDirectory], for idiom: SkinIdiom) throws -> Loaded {
        let sources = try SkinSources.settled(chain)
        let (skin, warnings) = try reader.read(chain, files: sources.files, for: idiom, cache: cache)
        var saveError: (any Error)?
        if sources.isSettled {
            do {
                try save(skin, sources.all)
            } catch {
                saveError = error
            }
        }
        return Loaded(skin: skin, wasCompiled: false, warnings: warnings, saveError: saveError)
    }

    /// Removes the compiled files of all skins except those with the given product identifiers.
    public func removeAll(except identifiers: [String]) throws {
        let retained = Set(identifiers.flatMap { name in SkinIdiom.all.map { fileName(name, $0) } })
        guard let directory = try? Directory.open(path) else { return }
        for entry in try directory.entries() where entry.kind == .file && !retained.contains(entry.name) {
            try directory.removeTree(entry.name)
        }
    }

    // MARK: Files

    /// Returns the skin from its compiled file; `nil` if the file is missing or unusable.
    ///
    /// The reason does not matter, because the XML files contain everything.
    private func compiled(_ chain: [SkinDirectory], for idiom: SkinIdiom) -> ResolvedSkin? {
        guard let first = chain.first,
            let file = try? OpenFile.open(path + "/" + fileName(first.identifier, idiom)),
            let bytes = try? file.bytes(limit: .max, mappedSize: Self.mappedSize),
            let compiled = try? CompiledSkin(bytes, fingerprint: fingerprint),
            compiled.idiom == idiom, compiled.chain.map(\.identifier) == chain.map(\.identifier),
            let sources = compiled.sources,
            SkinSources.isUnchanged(sources, chain)
        else { return nil }
        return ResolvedSkin(
            idiom: idiom, chain: compiled.chain, store: compiled, assets: SkinAssets(chain, cache: cache))
    }

    /// The size, in bytes, from which on a compiled file is mapped and not read.
    static let mappedSize = 128 << 10

    /// Saves a skin as a compiled file, without syncing it.
    ///
    /// A file damaged by a power failure is detected and compiled again.
    private func save(_ skin: ResolvedSkin, _ sources: [SkinSource]) throws {
        let bytes = try CompiledSkinWriter.write(skin, skin.entities, sources: sources, fingerprint: fingerprint)
        let directory = try Directory.create(path)
        let name = fileName(skin.identifier, skin.idiom)
        let temporary = name + ".new"
        try directory.removeTree(temporary)
        let file = try directory.createFile(temporary, mode: 0o600)
        do {
            try file.write(bytes, at: 0)
            try directory.rename(temporary, to: directory, as: name, replacing: true)
        } catch {
            try? directory.remove(temporary)
            throw error
        }
    }

    private func fileName(_ identifier: String, _ idiom: SkinIdiom) -> String {
        PackDirectoryName(productIdentifier: identifier).text + "~" + idiom.name + ".skin"
    }
}

/// The files and directories that a skin and its ancestors are read from, with their identities at one moment.
struct SkinSources {
    let files: [SkinFiles]
    let all: [SkinSource]
    /// Whether any later change of one of the skin's files will also change the file's identity.
    let isSettled: Bool

    /// The resolution of files' change times, in seconds; a tick of the kernel's clock is at most 10 ms.
    private static let timeResolution = 0.02

    init(_ chain: [SkinDirectory]) throws {
        let began = Date().timeIntervalSince1970
        files = try chain.map { try SkinFiles($0.directory) }
        var all: [SkinSource] = []
        var isSettled = true
        for (link, skin) in chain.enumerated() {
            for path in files[link].sources {
                guard let status = try skin.directory.status(of: path) else {
                    // The file was removed after the directory was listed.
                    isSettled = false
                    continue
                }
                all.append(SkinSource(link: link, path: path, status))
                // A later change within the same tick would not be visible.
                if abs(status.changedAt.timeIntervalSince1970 - began) < Self.timeResolution { isSettled = false }
            }
        }
        self.all = all
        self.isSettled = isSettled
    }

    /// Lists the files of skins, and waits until later changes of files just written would be visible.
    ///
    /// Blocks for up to 60 ms.
    static func settled(_ chain: [SkinDirectory]) throws -> SkinSources {
        var sources = try SkinSources(chain)
        for _ in 0..<3 where !sources.isSettled {
            SystemThread.sleep(for: .seconds(timeResolution))
            sources = try SkinSources(chain)
        }
        return sources
    }

    /// Returns whether all files that a skin was compiled from are unchanged.
    static func isUnchanged(_ sources: [SkinSource], _ chain: [SkinDirectory]) -> Bool {
        sources.allSatisfy { source in
            guard chain.indices.contains(source.link),
                let status = try? chain[source.link].directory.status(of: source.path)
            else { return false }
            return SkinSource(link: source.link, path: source.path, status) == source
        }
    }
}

extension SkinSource {
    init(link: Int, path: String, _ status: FileStatus) {
        self.init(link: link, path: path, identity: FileIdentity(status, by: .statusChange, isStored: true))
    }
}
