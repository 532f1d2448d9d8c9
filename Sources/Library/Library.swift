public import Files
import FoundationEssentials
public import StoreModel

/// Everything that is installed: the only door to the packs' folder.
///
/// The disk is the truth. What this holds in memory is read from it, is read again when the folder changed (someone
/// may put packs there by hand), and is never ahead of it.
public actor Library {
    let folders: LibraryFolders
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
    private(set) var packs: [String: LibraryEntry] {
        didSet { generation += 1 }
    }
    /// Counts the changes of `packs`, so that a look at the folder that began before one does not undo it.
    private var generation = 0
    private var scannedAt: ScanMark?

    private var waiting: [(PackCommit.Prepared, CheckedContinuation<LibraryEntry, any Error>)] = []
    private var isCommitting = false
    /// What the disk refused to clear away.
    private var unsettled: [Leftover] = []

    private enum Leftover {
        /// What an operation that ended has left in staging.
        case staged(OperationID)
        /// The version before of a pack that is gone.
        case previous(folder: String)
    }

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
            let folders = try LibraryFolders(data: data)
            try Recovery(folders: folders).run()
            let mark = ScanMark(of: folders.packs)
            let packs = try LibraryScan(folders: folders, kinds: kinds, known: index).run()
            return Library(folders: folders, kinds: kinds, packs: packs, mark: mark)
        }
    }

    private init(folders: LibraryFolders, kinds: ContentKinds, packs: [String: LibraryEntry], mark: ScanMark?) {
        self.folders = folders
        self.kinds = kinds
        self.packs = packs
        scannedAt = mark
    }

    // MARK: What is installed

    /// All packs, in the order of their folders' names.
    public func all() async throws -> [LibraryPack] {
        try await look()
        return packs.values.map(\.pack).sorted { $0.folder < $1.folder }
    }

    /// The pack of a product; where a folder put there by hand claims to be one that is installed too, the installed.
    public func pack(of productIdentifier: String) async throws -> LibraryPack? {
        if let installed = try await packInPlace(of: productIdentifier), installed.origin != nil { return installed }
        try await look()
        let found = packs.values.map(\.pack).filter { $0.isOf(productIdentifier) }
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
            let before = generation
            let found = try await disk.run {
                try LibraryScan(folders: folders, kinds: kinds, known: known.map { [folder: $0] } ?? [:]).entry(
                    in: folder)
            }
            // What changed meanwhile may be this one.
            guard before == generation else { continue }
            if found != known { packs[folder] = found }
            return found
        }
    }

    /// What is known, to be given to ``open(data:kinds:index:)`` the next time.
    public var index: [String: LibraryEntry] { packs }

    /// The open folder of a product's pack. It stays the same version while it is held, also when the pack is updated
    /// or removed.
    ///
    /// - Throws: `pack.not-installed`.
    public func directory(of productIdentifier: String) async throws -> Directory {
        let pack = try await installed(productIdentifier, evenByHand: true)
        return try folders.packs.openDirectory(pack.folder)
    }

    /// The open folder of the version of a pack that an operation brought: the one that is installed, or the version
    /// before. So who reads one file after another reads files of one version.
    ///
    /// - Throws: `pack.not-installed`; `pack.replaced` where that version is no longer here.
    public func directory(of productIdentifier: String, by operation: OperationID) async throws -> Directory {
        let pack = try await installed(productIdentifier)
        if pack.origin?.operation == operation, let stamp = packs[pack.folder]?.stamp {
            let current = try folders.packs.openDirectory(pack.folder)
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
    public nonisolated func directory(of pack: LibraryPack) throws -> Directory {
        try folders.packs.openDirectory(pack.folder)
    }

    /// The absolute path of a pack's folder.
    public nonisolated func path(of pack: LibraryPack) -> String { folders.packs.path(of: pack.folder) }

    /// Bytes that may still be written beside the library.
    public nonisolated func freeSpace() throws -> Int { try folders.data.freeSpace() }

    private func look() async throws {
        if !unsettled.isEmpty { await settle() }
        let mark = ScanMark(of: folders.packs)
        if let mark, scannedAt?.stillHolds(at: mark) == true { return }
        let (folders, kinds, known, before) = (folders, kinds, packs, generation)
        let found = try await disk.run { try LibraryScan(folders: folders, kinds: kinds, known: known).run() }
        guard before == generation else { return }
        packs = found
        scannedAt = mark
    }

    func installed(_ productIdentifier: String, evenByHand: Bool = false) async throws -> LibraryPack {
        guard let pack = try await pack(of: productIdentifier) else {
            throw LibraryError(.packMissing, "'\(productIdentifier)' is not installed.")
        }
        guard pack.origin != nil || evenByHand else {
            throw LibraryError(
                .packByHand,
                "'\(path(of: pack))' was put there by hand; this program only changes what it installed. "
                    + "Move or remove the folder yourself.")
        }
        return pack
    }

    // MARK: Bringing in

    /// Makes an empty folder in staging for a pack.
    ///
    /// - Parameter keepingReplaced: whether the version that is installed now becomes the version before.
    /// - Throws: ``LibraryError`` where the kind is unknown, `conflict.by-hand` where a folder that was put there by
    ///   hand is in the way, `conflict.kind-changed` where the installed version has another kind.
    public func stage(
        _ operation: OperationID, productIdentifier: String, kind: ProductKind, keepingReplaced: Bool = true
    ) async throws -> StagedPack {
        let target = try kinds.folder(for: productIdentifier, kind: kind)
        try await checkPlace(target, productIdentifier: productIdentifier, isRepair: !keepingReplaced)
        let folders = folders
        return try await preparing.run {
            try folders.requireInPlace()
            try folders.staging.removeTree(operation.rawValue)
            return try StagedPack(
                operation: operation, targetFolder: target, staging: folders.staging, keepingReplaced: keepingReplaced)
        }
    }

    /// Whether the place that a product's pack will take is free, or taken by the version that it replaces.
    ///
    /// - Parameter isRepair: whether a pack whose receipt is damaged may be replaced, too.
    public func checkPlace(of productIdentifier: String, kind: ProductKind, isRepair: Bool = false) async throws {
        try await checkPlace(
            kinds.folder(for: productIdentifier, kind: kind), productIdentifier: productIdentifier, isRepair: isRepair)
    }

    private func checkPlace(_ target: String, productIdentifier: String, isRepair: Bool) async throws {
        if let present = try await packInPlace(of: productIdentifier), present.origin != nil, present.folder != target {
            throw LibraryError(
                .kindChanged,
                "'\(productIdentifier)' is installed as \(present.kind), and its store now says that it is something "
                    + "else. Uninstall it first.")
        }
        if try folders.packs.status(of: target) != nil, !mayReplace(packs[target], isRepair: isRepair) {
            throw LibraryError(
                .packByHand,
                "'\(folders.packs.path(of: target))' is there already and was not installed by this program. "
                    + "Move it away, then try again.")
        }
    }

    /// Only what was installed. A pack whose receipt is damaged looks like one that somebody put there, so that only a
    /// repair, which knows from elsewhere that it was installed, takes its place.
    private func mayReplace(_ present: LibraryEntry?, isRepair: Bool) -> Bool {
        guard let pack = present?.pack else { return false }
        return pack.origin != nil || (pack.receiptIsDamaged && isRepair)
    }

    /// Checks what was unpacked by the rules of its kind, and that somebody consented to all that it may do.
    ///
    /// - Parameter consent: beside what the version that is installed may do already.
    /// - Returns: what the pack may do.
    /// - Throws: `content.…`, `consent.needed`.
    public func check(
        _ staged: StagedPack, of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) async throws -> Set<Permission> {
        guard let known = kinds[kind] else { return [] }
        let asked = try await checking.run {
            try known.check(staged.directory)
            return known.permissions(asked: try PackInformation.read(from: staged.directory).permissions ?? [])
        }
        try requireConsent(to: asked, of: productIdentifier, kind: kind, consent: consent)
        return asked
    }

    /// Whether somebody consented to all that a product says it may do.
    ///
    /// - Parameters:
    ///   - asked: what its store or information file says that it asks for.
    ///   - consent: beside what the version that is installed may do already.
    /// - Throws: `consent.needed`.
    public func requireConsent(
        toAsked asked: [Permission], of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) throws {
        guard let known = kinds[kind] else { return }
        try requireConsent(
            to: known.permissions(asked: asked), of: productIdentifier, kind: kind, consent: consent)
    }

    private func requireConsent(
        to asked: Set<Permission>, of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) throws {
        let missing = asked.subtracting(consent).subtracting(granted(productIdentifier, kind: kind))
        guard missing.isEmpty else { throw LibraryError.consentNeeded(for: productIdentifier, kind: kind, missing) }
    }

    /// What the installed version of a product may do.
    private func granted(_ productIdentifier: String, kind: ProductKind) -> [Permission] {
        guard let folder = try? kinds.folder(for: productIdentifier, kind: kind) else { return [] }
        return packs[folder]?.pack.origin?.permissions ?? []
    }

    /// Puts a prepared pack in its place in one step, together with others that are ready at the same time. The
    /// version that it replaces is kept for a rollback, and its hold with it.
    ///
    /// - Throws: `conflict.by-hand`, or what the disk says; the library is then as it was before.
    public func commit(_ staged: StagedPack, receipt: Receipt) async throws -> LibraryPack {
        let present = packs[staged.targetFolder]
        var receipt = receipt
        if let origin = present?.pack.origin { receipt.held = origin.held }
        let prepared = PackCommit.Prepared(
            staged: staged, receipt: receipt,
            replacing: mayReplace(present, isRepair: !StagedPack.keepsReplaced(staged.parent)) ? present : nil)
        let written = receipt
        try await preparing.run { try staged.write(written) }
        return try await placed(prepared).pack
    }

    /// The first that comes does the work of all who wait, again and again until nobody does.
    private func placed(_ prepared: PackCommit.Prepared) async throws -> LibraryEntry {
        if isCommitting {
            return try await withCheckedThrowingContinuation { waiting.append((prepared, $0)) }
        }
        isCommitting = true
        let own = await perform([prepared])[0]
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            let results = await perform(batch.map(\.0))
            for ((_, continuation), result) in zip(batch, results) { continuation.resume(with: result) }
        }
        isCommitting = false
        return try own.get()
    }

    private func perform(_ batch: [PackCommit.Prepared]) async -> [Result<LibraryEntry, any Error>] {
        let commit = PackCommit(folders: folders)
        let results: [Result<LibraryEntry, any Error>]
        do {
            results = try await disk.run { commit.perform(batch) }
        } catch {
            results = batch.map { _ in .failure(error) }
        }
        for case .success(let placed) in results { packs[placed.pack.folder] = placed }
        return results
    }

    /// Removes what an operation prepared and did not commit. Where it did, and could not keep the version before, that
    /// is tried again; what can't be done now is tried at the next look at the library, and at the next start.
    public func discard(_ operation: OperationID) async {
        let folders = folders
        // Nothing is the rule, and need not wait for others.
        if let isThere = try? folders.staging.status(of: operation.rawValue) != nil, !isThere { return }
        do {
            if try await disk.run({ try Recovery(folders: folders).run(operation) }) { await emptyTrash() }
        } catch {
            unsettled.append(.staged(operation))
        }
    }

    /// What the disk refused before may go now: who looks at the library finds it settled.
    private func settle() async {
        let leftovers = unsettled
        unsettled = []
        for leftover in leftovers {
            switch leftover {
            case .staged(let operation): await discard(operation)
            case .previous(let folder):
                if await removePrevious(folder) { await emptyTrash() } else { unsettled.append(leftover) }
            }
        }
    }

    /// - Returns: `false` where the disk refuses; it is gone, or somebody's again, otherwise.
    private func removePrevious(_ folder: String) async -> Bool {
        let folders = folders
        return await (try? disk.run {
            // A pack that took the place meanwhile has removed it by itself, or has one of its own.
            guard try folders.packs.status(of: folder) == nil else { return true }
            try PreviousVersions(folders: folders).remove(folder)
            return true
        }) ?? false
    }

    // MARK: Changing

    /// Takes a pack out of the library in one step, its version before too. Their space comes back with
    /// ``emptyTrash()``.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`.
    public func remove(_ productIdentifier: String) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        try await kinds[pack.kind]?.willRemove(productIdentifier)
        let folders = folders
        try await disk.run {
            try folders.requireInPlace()
            guard try folders.packs.status(of: pack.folder)?.kind == .folder else {
                throw LibraryError.swapped(folders.packs.path(of: pack.folder))
            }
            let discarded = try Trash(folder: folders.trash).discard(pack.folder, in: folders.packs)
            do {
                try folders.packs.sync()
            } catch {
                // Better there for sure than perhaps.
                try? folders.trash.rename(discarded, to: folders.packs, as: pack.folder)
                throw error
            }
        }
        packs[pack.folder] = nil
        if await !removePrevious(pack.folder) { unsettled.append(.previous(folder: pack.folder)) }
        return pack
    }

    /// Swaps a pack with its version before, which is then held.
    ///
    /// - Throws: `pack.not-installed`, `pack.no-previous`, `conflict.by-hand`.
    public func rollBack(_ productIdentifier: String, operation: OperationID) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        if !unsettled.isEmpty { await settle() }
        let folders = folders
        let placed = try await disk.run {
            try folders.requireInPlace()
            guard let (found, previous) = try Receipt.find(pack.folder, in: folders.previous) else {
                throw LibraryError(
                    .noPrevious, "'\(productIdentifier)' has no version before in the library to go back to.")
            }
            var receipt = found
            receipt.held = true
            receipt.operation = operation
            try receipt.replace(in: previous, through: folders.staging)
            let versions = PreviousVersions(folders: folders)
            guard folders.previous.holds(previous, as: pack.folder) else {
                throw LibraryError.swapped(folders.previous.path(of: pack.folder))
            }
            try versions.exchange(pack.folder, operation: operation)
            guard folders.packs.holds(previous, as: pack.folder) else {
                // What was put in its place after the look goes back to where it was put.
                try versions.exchange(pack.folder, operation: operation)
                throw LibraryError.swapped(folders.previous.path(of: pack.folder))
            }
            do {
                try folders.packs.sync()
            } catch {
                // Better the version that was there for sure than one of the two.
                try? versions.exchange(pack.folder, operation: operation)
                throw error
            }
            return LibraryEntry(placed: pack.folder, receipt: receipt, in: folders.packs)
        }
        packs[pack.folder] = placed
        return placed.pack
    }

    /// Holds a pack back from updates that do not name it, or no longer.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`.
    public func setHeld(_ productIdentifier: String, _ held: Bool) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        if pack.origin?.held == held { return pack }
        let folders = folders
        let changed = try await disk.run {
            try folders.requireInPlace()
            let directory = try folders.packs.openDirectory(pack.folder)
            var receipt = try Receipt.ofInstalled(pack.productIdentifier, in: directory)
            receipt.held = held
            try receipt.replace(in: directory, through: folders.staging)
            return LibraryEntry(placed: pack.folder, receipt: receipt, in: folders.packs)
        }
        packs[pack.folder] = changed
        return changed.pack
    }
}
