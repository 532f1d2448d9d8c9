import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The library of all installed packs: lists, commits, removes and verifies the packs in the packs directory.
///
/// All access to the packs directory goes through this actor. The disk is the source of truth: what the actor holds in
/// memory was read from it, and is read again when the directory has changed, because a user may place packs there.
public actor Library {
    let folders: LibraryDirectories
    let kinds: ContentKinds
    /// The queue for changes of the library's directories of packs, which are made one after another.
    let disk = BlockingWork(label: "library")
    let removal = BlockingWork(label: "library.removal")
    /// The queue for reads of installed packs, which must not delay commits.
    let reading = BlockingWork(label: "library.reading", concurrent: true)
    /// The two queues that hash the contents of files of installed packs, however many packs are verified.
    ///
    /// More queues would only wait for the disk.
    let hashing = [BlockingWork(label: "library.hashing"), BlockingWork(label: "library.hashing")]
    var packs: KnownPacks
    private var scannedVersion: DirectoryVersion?
    /// The number of changes of ``packs`` at which the index that the library was opened with is up to date; `nil` if it
    /// was not.
    private let indexedChanges: Int?

    /// The prepared packs that wait to be committed.
    var commits = CommitQueue()
    let clock: TimeSource
    /// Whether each installed version that has a previous one can be rolled back to it, by the operation that installed it.
    var restorableVersions: [OperationID: Bool] = [:]
    /// The directories of the library that could not be moved to the trash.
    ///
    /// This is tried again before the library is read.
    var leftovers: [Leftover] = []

    /// Opens the library of installed packs, and finishes or undoes the operations that a crash interrupted.
    ///
    /// - Parameters:
    ///   - data: the path of the data directory, which contains the directory of packs.
    ///   - kinds: the kinds of content whose packs are listed.
    ///   - clock: the clock by which packs wait to be committed together.
    ///   - index: returns ``index`` as it was when the library was last open; it is called once the packs directory has been
    ///     read, so that the index can be read meanwhile. It may be empty or out of date, which only makes opening slower.
    /// - Throws: `home.unusable` if the directories can't be created or opened; another `StoreError` if they can't be
    ///   read or changed; what `index` throws.
    public static func open(
        data: String, kinds: ContentKinds, clock: TimeSource = .system,
        index: () async throws -> [String: LibraryEntry] = { [:] }
    ) async throws -> Library {
        let work = BlockingWork(label: "library.open")
        let (folders, version, listing) = try await work.run {
            let folders = try LibraryDirectories(data: data)
            try Recovery(folders: folders).run()
            return (folders, DirectoryVersion(of: folders.packs), try LibraryScan.Listing(folders))
        }
        let known = try await index()
        return try await work.run {
            let (packs, areAsKnown) = try LibraryScan(folders: folders, kinds: kinds, known: known).run(listing)
            return Library(
                folders: folders, kinds: kinds, packs: KnownPacks(packs), areIndexed: areAsKnown, version: version,
                clock: clock)
        }
    }

    private init(
        folders: LibraryDirectories, kinds: ContentKinds, packs: KnownPacks, areIndexed: Bool,
        version: DirectoryVersion?, clock: TimeSource
    ) {
        self.folders = folders
        self.kinds = kinds
        self.packs = packs
        indexedChanges = areIndexed ? packs.changes : nil
        scannedVersion = version
        self.clock = clock
    }

    // MARK: What is installed

    /// Returns all packs of the library in the order of their directory names.
    ///
    /// These are the installed packs and the unmanaged ones, which were placed by hand.
    public func all() async throws -> [LibraryPack] { try await counted().packs }

    /// Returns all packs of the library with a number that changes whenever they do.
    ///
    /// As long as the process runs and the number is the same, so are the packs.
    public func counted() async throws -> (packs: [LibraryPack], changes: Int) {
        try await refresh()
        return (packs.all(), packs.changes)
    }

    /// Returns the pack of a product in the library, or `nil` if there is none.
    ///
    /// An installed pack takes precedence over an unmanaged one, which was placed by hand, and of several unmanaged
    /// ones the first by directory name.
    public func pack(of productIdentifier: String) async throws -> LibraryPack? {
        if let installed = try await packInPlace(of: productIdentifier), installed.origin != nil { return installed }
        try await refresh()
        let found = packs.packs(of: productIdentifier, directories: kinds.folders(for: productIdentifier))
        return found.first { $0.origin != nil } ?? found.min { $0.folder < $1.folder }
    }

    /// Returns the pack in the directory that belongs to a product; `nil` if there is none.
    ///
    /// The pack may be installed or unmanaged (placed by hand); an installed one takes precedence over an unmanaged one in
    /// the directory of another kind. Unlike ``pack(of:)`` it does not find an unmanaged pack in another directory whose
    /// information file names the product. Its cost does not depend on the number of packs.
    public func packInPlace(of productIdentifier: String) async throws -> LibraryPack? {
        var unmanaged: [LibraryPack] = []
        let folders = kinds.folders(for: productIdentifier)
        let known = folders.filter { packs[$0] != nil }
        // The directory of a known pack first: if the pack is installed, no other has to be looked at.
        for folder in known + folders.filter({ !known.contains($0) }) {
            guard let pack = try await entry(in: folder)?.pack, pack.isOf(productIdentifier) else { continue }
            if pack.origin != nil { return pack }
            unmanaged.append(pack)
        }
        return unmanaged.min { $0.folder < $1.folder }
    }

    /// Returns the pack in the directory that a product of a kind has; `nil` if there is none.
    ///
    /// Like ``packInPlace(of:)``, with one look at the disk, for what can only be a pack of that kind.
    public func packInPlace(of productIdentifier: String, kind: ProductKind) async throws -> LibraryPack? {
        guard let folder = try? kinds.folder(for: productIdentifier, kind: kind),
            let entry = try await entry(in: folder), entry.pack.isOf(productIdentifier)
        else { return nil }
        return entry.pack
    }

    /// Returns the pack in the directory `folder` of the library, which is read again if its receipt has changed.
    ///
    /// The result is `nil` if there is no directory of that name, or if it is no pack.
    func entry(in folder: String) async throws -> LibraryEntry? {
        let (folders, kinds) = (folders, kinds)
        while true {
            let known = packs[folder]
            guard try folders.packs.status(of: folder)?.kind == .folder else {
                if known != nil { packs[folder] = nil }
                return nil
            }
            if let known, known.receiptFile != nil, !known.pack.receiptIsDamaged,
                known.isRead(from: folders.packs.statusOfKnownFile(folder + "/" + Receipt.fileName))
            {
                return known
            }
            let found = try await disk.run {
                try LibraryScan(folders: folders, kinds: kinds, known: known.map { [folder: $0] } ?? [:]).entry(
                    in: folder)
            }
            // A commit has changed this entry in the meantime.
            guard packs[folder] == known else { continue }
            if found != known { packs[folder] = found }
            return found
        }
    }

    /// The known packs of the library by directory name, for the index that the database stores.
    ///
    /// It is to be passed to ``open(data:kinds:clock:index:)`` at the next start.
    public var index: [String: LibraryEntry] { packs.entries }

    /// Whether ``index`` differs from the one with which the library was opened, as far as that is known.
    public var indexHasChanged: Bool { packs.changes != indexedChanges }

    /// Opens the directory of a product's pack, which may be installed or unmanaged (placed by hand).
    ///
    /// The open directory remains that of the same version, also when the pack is updated or removed meanwhile.
    ///
    /// - Throws: `pack.not-installed`.
    public func directory(of productIdentifier: String) async throws -> Directory {
        let pack = try await installed(productIdentifier, includingUnmanaged: true)
        return try folders.open(pack)
    }

    /// Opens the directory of the version of a pack that an operation installed: the current or the previous one.
    ///
    /// A client that reads several files names the operation, so that all of them are of one version.
    ///
    /// - Throws: `pack.not-installed`; `conflict.by-hand` if the pack is unmanaged (placed by hand); `pack.replaced` if
    ///   the operation's version is neither the current nor the previous one.
    public func directory(of productIdentifier: String, by operation: OperationID) async throws -> Directory {
        let pack = try await installed(productIdentifier)
        if pack.origin?.operation == operation, let receiptFile = packs[pack.folder]?.receiptFile {
            let current = try folders.open(pack)
            // It may have been replaced since it was read; then it is the previous version now.
            if let status = try current.status(of: Receipt.fileName), FileIdentity(receipt: status) == receiptFile {
                return current
            }
        }
        let folders = folders
        return try await reading.run {
            for folder in [folders.packs, folders.previous] {
                guard let found = try Receipt.find(pack.folder, in: folder) else { continue }
                if found.receipt.operation == operation { return found.pack }
            }
            throw StoreError(
                .packVersionReplaced, ["product": productIdentifier, "operation": operation.rawValue])
        }
    }

    /// Opens the directory of a pack that ``all()`` listed, even if another pack takes precedence for its product.
    ///
    /// - Throws: `pack.not-installed` where the pack has been removed since.
    public nonisolated func directory(of pack: LibraryPack) throws -> Directory {
        try folders.open(pack)
    }

    /// Returns the absolute path of the directory of a pack in the library.
    public nonisolated func path(of pack: LibraryPack) -> String { folders.packs.path(of: pack.folder) }

    /// The absolute path of the directory with the packs' directories.
    public nonisolated var packsPath: String { folders.packs.path }

    /// Returns the free space, in bytes, of the file system with the library of installed packs.
    public nonisolated func freeSpace() throws -> Int { try folders.data.freeSpace() }

    /// Returns whether the library of installed packs is on the file system of a directory.
    public nonisolated func isOnFileSystem(of directory: Directory) throws -> Bool {
        try folders.data.status().device == directory.status().device
    }

    private func refresh() async throws {
        if !leftovers.isEmpty { await removeLeftovers() }
        let version = DirectoryVersion(of: folders.packs)
        if let version, scannedVersion?.isCurrent(at: version) == true { return }
        let (folders, kinds, known, before) = (folders, kinds, packs.entries, packs.changes)
        let found = try await disk.run {
            try LibraryScan(folders: folders, kinds: kinds, known: known).run(LibraryScan.Listing(folders)).packs
        }
        guard before == packs.changes else { return }
        packs.replaceAll(with: found)
        scannedVersion = version
    }

    func installed(_ productIdentifier: String, includingUnmanaged: Bool = false) async throws -> LibraryPack {
        guard let pack = try await pack(of: productIdentifier) else {
            throw StoreError(.packNotInstalled, ["product": productIdentifier])
        }
        if !includingUnmanaged { try folders.requireManaged(pack) }
        return pack
    }
}
