public import FoundationEssentials
public import StoreDatabase
public import StoreImages
public import StoreLibrary
public import StoreModel
import StoreStickerPacks
import StoreSystem

/// The manager of the installed sticker packs: their stickers, the search, and the user's lists of stickers.
///
/// Unmanaged packs, which a user placed by hand, are among them. A pack is read when it is first needed, and an image when
/// its pack is first shown; what was found of the images of an installed version is kept in the database.
///
/// ```swift
/// let manager = StickersManager(library: library, database: database)
/// for pack in try await manager.packs() {
///     print(pack.productIdentifier, pack.count)
/// }
/// for found in try await manager.search(StickerQuery("laugh")).stickers {
///     print(found.sticker.id, found.sticker.path)
/// }
/// try await manager.recordUses(of: [StickerName(productIdentifier: "org.example.cups", sticker: "smile")])
/// print(try await manager.recents().map(\.sticker.id))
/// ```
public actor StickersManager {
    /// The values of settings on which the lists of stickers depend.
    public struct Settings: Sendable, Hashable {
        /// The maximum number of stickers in the lists of recently and of frequently used ones.
        public var maximumRecents: Int

        /// Creates the values of settings on which the lists of stickers depend.
        public init(maximumRecents: Int = 50) { self.maximumRecents = maximumRecents }
    }

    let library: Library
    let database: LibraryDatabase
    let images: ImageReader
    let thumbnails: (any ThumbnailMaking)?
    let settings: @Sendable () -> Settings
    let date: @Sendable () -> Date
    /// The queue for reading packs and images.
    let work = BlockingWork(label: "stickers")
    private var didChangeLists: @Sendable () async -> Void = {}

    /// A cache of the sticker packs that were read, by directory.
    var known: [String: KnownStickerPack] = [:]
    /// The number of contents that packs in ``known`` had so far; see ``KnownStickerPack/number``.
    private var contents = 0
    /// The number of times that the names or contents of the packs in ``known`` changed, by which a search finds that
    /// its index is old.
    private(set) var contentChanges = 0
    /// What the database has recorded of the user; `nil` before it is read, and after it was changed.
    var cachedRecords: StickerRecords?
    /// The number of changes of the records, by which a reader knows that it read old ones.
    var recordChanges = 0
    /// The packs of the last search, with the search index and the states that it is of.
    var searched = SearchedPacks()
    /// The properties of images in the database that are not in ``known`` yet; `nil` before they are read.
    var storedImages: [String: (operation: OperationID, images: Data)]?

    /// Creates a manager of the sticker packs in a library, which is all installed packs.
    ///
    /// - Parameters:
    ///   - database: the library's database, which holds the user's lists. No one else changes them.
    ///   - images: the limits beyond which an image counts as unreadable.
    ///   - thumbnails: makes thumbnails; without it there are none.
    ///   - settings: returns the current settings.
    ///   - date: returns the current time.
    public init(
        library: Library, database: LibraryDatabase, images: ImageLimits = ImageLimits(),
        thumbnails: (any ThumbnailMaking)? = nil,
        settings: @escaping @Sendable () -> Settings = { Settings() }, date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.library = library
        self.database = database
        self.images = ImageReader(limits: images)
        self.thumbnails = thumbnails
        self.settings = settings
        self.date = date
    }

    /// Sets the function that is called after each change of the user's lists, before the change returns.
    public func observeLists(_ didChange: @escaping @Sendable () async -> Void) { didChangeLists = didChange }

    func listsDidChange() async { await didChangeLists() }

    // MARK: Packs

    /// Returns all installed sticker packs that can be read, in the user's order, and then by directory.
    ///
    /// The properties of images are those that are known; ``pack(_:)`` reads them.
    ///
    /// - Throws: an error of the file system, if the directory of the installed packs can't be listed.
    public func packs() async throws -> [StickerPack] {
        let packs = try await readablePacks()
        let order = (try? await records().order) ?? []
        return Self.sorted(packs, by: order).compactMap { known[$0.folder]?.document }
    }

    /// Reads all installed sticker packs, and returns those that can be read, by directory.
    func readablePacks() async throws -> [LibraryPack] {
        let installed = try await library.all().filter { $0.kind == .sticker }
        try await read(installed, isExact: true)
        forgetPacks(except: installed)
        return installed.filter { known[$0.folder] != nil }
    }

    /// Returns the installed sticker pack of the product with this identifier, with the properties of its images.
    ///
    /// - Throws: `pack.not-installed`, also if the product is of another kind; `content.bad-information`.
    public func pack(_ productIdentifier: String) async throws -> StickerPack {
        try await shown(installed(productIdentifier)).document
    }

    func installed(_ productIdentifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: productIdentifier), pack.kind == .sticker else {
            throw StoreError(.stickerPackNotInstalled, ["product": productIdentifier])
        }
        return pack
    }

    /// Returns packs in the user's order; those without a place follow in the order that they have.
    static func sorted(_ packs: [LibraryPack], by order: [String]) -> [LibraryPack] {
        if order.isEmpty { return packs }
        let places = Dictionary(zip(order, order.indices)) { first, _ in first }
        return packs.enumerated().sorted { a, b in
            (places[a.element.productIdentifier] ?? order.count, a.offset)
                < (places[b.element.productIdentifier] ?? order.count, b.offset)
        }.map(\.element)
    }

    // MARK: Reading

    /// Reads those packs that are not in the cache as they are now; a pack that can't be read leaves the cache.
    ///
    /// - Parameter isExact: whether unmanaged packs are read again in any case, because a change of a file that is in no
    ///   directory of its own would go unnoticed; otherwise those whose directory has not changed are not.
    /// - Returns: the errors of the packs that can't be read, by directory.
    @discardableResult
    func read(_ packs: [LibraryPack], isExact: Bool) async throws -> [String: any Error] {
        let missing = packs.filter { pack in
            guard let known = known[pack.folder], known.pack.origin?.operation == pack.origin?.operation,
                known.pack.name == pack.name
            else { return true }
            return pack.origin == nil
        }
        if missing.isEmpty { return [:] }
        let before = known.filter { $0.value.version != nil }
        let library = library
        let results = try await work.run { () -> [(LibraryPack, Result<KnownStickerPack, any Error>)] in
            missing.map { pack in
                let result = Result { () -> KnownStickerPack in
                    let directory = try library.directory(of: pack)
                    let version = pack.origin == nil ? UnmanagedVersion(of: directory) : nil
                    if !isExact, let version, version.isSettled, let known = before[pack.folder], known.pack == pack,
                        known.version == version
                    {
                        return known
                    }
                    return KnownStickerPack(
                        pack: pack, path: library.path(of: pack), version: version,
                        content: try StickerPackReader(directory).content())
                }
                return (pack, result)
            }
        }
        var errors: [String: any Error] = [:]
        for (pack, result) in results {
            switch result {
            case .success(var read):
                // An image of an unmanaged pack may have been overwritten in place.
                if read.images == nil, !isExact || pack.origin != nil { read.images = keptImages(for: read) }
                number(&read)
                known[pack.folder] = read
            case .failure(let error):
                if known.removeValue(forKey: pack.folder) != nil { contentChanges += 1 }
                errors[pack.folder] = error
            }
        }
        return errors
    }

    /// Numbers the content of a pack that was read: with the number that it had, if it is as before.
    private func number(_ read: inout KnownStickerPack) {
        if let before = known[read.pack.folder], before.pack.productIdentifier == read.pack.productIdentifier,
            before.pack.name == read.pack.name, before.content == read.content
        {
            read.number = before.number
        } else {
            contents += 1
            contentChanges += 1
            read.number = contents
        }
    }

    /// Returns what is known of the images of a pack that was read again, if its directory has not changed.
    private func keptImages(for read: KnownStickerPack) -> [String: StickerImage]? {
        guard let before = known[read.pack.folder], before.pack.origin?.operation == read.pack.origin?.operation,
            before.version == read.version, read.version?.isSettled != false
        else { return nil }
        return before.images
    }

    /// Removes what was read of packs that are not installed any more.
    ///
    /// - Parameter installed: all sticker packs in the library.
    func forgetPacks(except installed: [LibraryPack]) {
        let folders = Set(installed.map(\.folder))
        let gone = known.keys.filter { !folders.contains($0) }
        for folder in gone { known[folder] = nil }
        if !gone.isEmpty { contentChanges += 1 }
    }

    /// Returns a pack that is to be shown, and reads the properties of its images that are not known.
    func shown(_ pack: LibraryPack) async throws -> KnownStickerPack {
        if let error = try await read([pack], isExact: true)[pack.folder] { throw error }
        guard let read = known[pack.folder] else {
            throw StoreError(.stickerPackNotInstalled, ["product": pack.productIdentifier])
        }
        if read.images != nil { return read }
        return try await readImages(of: read)
    }
}
