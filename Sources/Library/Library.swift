import FoundationEssentials
public import StoreModel
public import StoreSystem

/// Everything that is installed: the only door to the packs' folder.
///
/// The disk is the truth. What this holds in memory is read from it, is read again when the folder changed (someone
/// may put packs there by hand), and is never ahead of it.
public actor Library {
    let folders: LibraryDirectories
    let kinds: ContentKinds
    /// What changes what is installed, one after another.
    let disk = BlockingWork(label: "library")
    /// What prepares packs, each in a folder of its own: it goes on while those that are ready wait for the disk.
    let preparing = BlockingWork(label: "library.preparing", concurrent: true)
    let removal = BlockingWork(label: "library.removal")
    /// A look at a large pack must not hold up those that are ready.
    let checking = BlockingWork(label: "library.checking", concurrent: true)
    /// Two threads look at content, however many packs are asked about: more would only wait for the disk.
    let hashing = [BlockingWork(label: "library.hashing"), BlockingWork(label: "library.hashing")]
    var packs: KnownPacks
    private var scannedAt: DirectoryVersion?

    var waiting: [(PackCommit.Prepared, CheckedContinuation<LibraryEntry, any Error>)] = []
    var isCommitting = false
    /// What the disk refused to clear away.
    var unsettled: [Leftover] = []

    /// Opens the library of a home and finishes or undoes what a crash left.
    ///
    /// - Parameters:
    ///   - data: the folder of the home's data.
    ///   - index: what was known of the packs when they were looked at last; empty is right too, and slower.
    /// - Throws: `home.unusable` where the folders can't be made, read or written.
    public static func open(data: String, kinds: ContentKinds, index: [String: LibraryEntry] = [:]) async throws
        -> Library
    {
        let work = BlockingWork(label: "library.open")
        return try await work.run {
            let folders = try LibraryDirectories(data: data)
            try Recovery(folders: folders).run()
            let mark = DirectoryVersion(of: folders.packs)
            let packs = try LibraryScan(folders: folders, kinds: kinds, known: index).run()
            return Library(folders: folders, kinds: kinds, packs: KnownPacks(packs), mark: mark)
        }
    }

    private init(folders: LibraryDirectories, kinds: ContentKinds, packs: KnownPacks, mark: DirectoryVersion?) {
        self.folders = folders
        self.kinds = kinds
        self.packs = packs
        scannedAt = mark
    }

    // MARK: What is installed

    /// All packs, in the order of their folders' names.
    public func all() async throws -> [LibraryPack] { try await counted().packs }

    /// All packs, and how often what is known of them has changed: as long as the count is the same, so are they.
    public func counted() async throws -> (packs: [LibraryPack], changes: Int) {
        try await look()
        return (packs.inOrder(), packs.changes)
    }

    /// The pack of a product; where a folder put there by hand claims to be one that is installed too, the installed.
    public func pack(of productIdentifier: String) async throws -> LibraryPack? {
        if let installed = try await packInPlace(of: productIdentifier), installed.origin != nil { return installed }
        try await look()
        let found = packs.of(productIdentifier, in: kinds.folders(for: productIdentifier))
        return found.first { $0.origin != nil } ?? found.min { $0.folder < $1.folder }
    }

    /// The pack that lies where a product's pack belongs, whoever put it there; unlike ``pack(of:)`` not one that lies
    /// elsewhere and says that it is of that product. Costs the same however many packs there are.
    public func packInPlace(of productIdentifier: String) async throws -> LibraryPack? {
        for folder in kinds.folders(for: productIdentifier) {
            if let entry = try await entry(in: folder), entry.pack.isOf(productIdentifier) { return entry.pack }
        }
        return nil
    }

    /// What is known of a folder, read again where it is not as it was.
    private func entry(in folder: String) async throws -> LibraryEntry? {
        let (folders, kinds) = (folders, kinds)
        while true {
            let known = packs[folder]
            guard try folders.packs.status(of: folder)?.kind == .folder else {
                if known != nil { packs[folder] = nil }
                return nil
            }
            if let stamp = known?.stamp, known?.pack.receiptIsDamaged == false,
                let status = try folders.packs.status(of: folder + "/" + Receipt.fileName),
                status.kind == .file, LibraryEntry.Stamp(status) == stamp
            {
                return known
            }
            let before = packs.changes
            let found = try await disk.run {
                try LibraryScan(folders: folders, kinds: kinds, known: known.map { [folder: $0] } ?? [:]).entry(
                    in: folder)
            }
            // What changed meanwhile may be this one.
            guard before == packs.changes else { continue }
            if found != known { packs[folder] = found }
            return found
        }
    }

    /// What is known, to be given to ``open(data:kinds:index:)`` the next time.
    public var index: [String: LibraryEntry] { packs.entries }

    /// The open folder of a product's pack. It stays the same version while it is held, also when the pack is updated
    /// or removed.
    ///
    /// - Throws: `pack.not-installed`.
    public func directory(of productIdentifier: String) async throws -> Directory {
        let pack = try await installed(productIdentifier, evenByHand: true)
        return try folders.open(pack)
    }

    /// The open folder of the version of a pack that an operation brought: the one that is installed, or the version
    /// before. So who reads one file after another reads files of one version.
    ///
    /// - Throws: `pack.not-installed`; `pack.replaced` where that version is no longer here.
    public func directory(of productIdentifier: String, by operation: OperationID) async throws -> Directory {
        let pack = try await installed(productIdentifier)
        if pack.origin?.operation == operation, let stamp = packs[pack.folder]?.stamp {
            let current = try folders.open(pack)
            // It may have been replaced since it was looked at; then it is the version before by now.
            if let status = try current.status(of: Receipt.fileName), LibraryEntry.Stamp(status) == stamp {
                return current
            }
        }
        let folders = folders
        return try await checking.run {
            for folder in [folders.packs, folders.previous] {
                guard let found = try Receipt.find(pack.folder, in: folder) else { continue }
                if found.receipt.operation == operation { return found.pack }
            }
            throw LibraryError(
                .packReplaced,
                "The version of '\(productIdentifier)' that operation \(operation) brought is no longer here. "
                    + "Ask for the pack again.")
        }
    }

    /// The open folder of a pack that was listed, which need not be the one that counts for its product.
    ///
    /// - Throws: `pack.not-installed` where it went since.
    public nonisolated func directory(of pack: LibraryPack) throws -> Directory {
        try folders.open(pack)
    }

    /// The absolute path of a pack's folder.
    public nonisolated func path(of pack: LibraryPack) -> String { folders.packs.path(of: pack.folder) }

    /// Bytes that may still be written beside the library.
    public nonisolated func freeSpace() throws -> Int { try folders.data.freeSpace() }

    private func look() async throws {
        if !unsettled.isEmpty { await settle() }
        let mark = DirectoryVersion(of: folders.packs)
        if let mark, scannedAt?.stillHolds(at: mark) == true { return }
        let (folders, kinds, known, before) = (folders, kinds, packs.entries, packs.changes)
        let found = try await disk.run { try LibraryScan(folders: folders, kinds: kinds, known: known).run() }
        guard before == packs.changes else { return }
        packs.replaceAll(with: found)
        scannedAt = mark
    }

    func installed(_ productIdentifier: String, evenByHand: Bool = false) async throws -> LibraryPack {
        guard let pack = try await pack(of: productIdentifier) else {
            throw LibraryError.missing(productIdentifier)
        }
        guard pack.origin != nil || evenByHand else {
            throw LibraryError(
                .packByHand,
                "'\(path(of: pack))' was put there by hand; this program only changes what it installed. "
                    + "Move or remove the folder yourself.")
        }
        return pack
    }
}
