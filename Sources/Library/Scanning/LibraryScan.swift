import FoundationEssentials
import StoreModel
import StoreSystem

/// A scan of the packs directory, which reads installed packs and unmanaged ones (placed by hand).
///
/// Installed packs are read from their receipts, and unmanaged ones from their information files.
struct LibraryScan {
    let folders: LibraryDirectories
    let kinds: ContentKinds
    /// The entries that are known from before the scan, by the name of the pack's directory.
    ///
    /// A receipt that is still the same file is not read again.
    let known: [String: LibraryEntry]

    /// The directories of packs, each with the status of its receipt, as far as it has one.
    struct Listing: Sendable {
        fileprivate let packs: [(folder: String, receipt: FileStatus?)]

        /// Reads the packs directory, and no file of a pack.
        init(_ folders: LibraryDirectories) throws(StoreError) {
            packs = try folders.packs.entries().lazy.filter { $0.kind == .folder }.map {
                // Links are left out above: in this call, a link to a directory would be followed.
                ($0.name, folders.packs.statusOfKnownFile($0.name + "/" + Receipt.fileName))
            }
        }
    }

    /// Reads the packs of a listing.
    ///
    /// - Returns: all packs by directory name, and whether those with a receipt are the known ones as they were known.
    /// - Throws: `StoreError` if memory or file descriptors run out.
    func run(_ listing: Listing) throws -> (packs: [String: LibraryEntry], areAsKnown: Bool) {
        var packs = [String: LibraryEntry](minimumCapacity: listing.packs.count)
        var (areKnown, receipts) = (true, 0)
        for (folder, receipt) in listing.packs {
            let unchanged = knownEntry(in: folder, receipt: receipt)
            guard let found = try unchanged ?? entry(in: folder) else { continue }
            if found.receiptFile != nil {
                receipts += 1
                if unchanged == nil || known[folder]?.pack.receiptIsDamaged == true { areKnown = false }
            }
            // The name as the pack has it, so that there is one copy of it in memory.
            packs[found.pack.folder] = found
        }
        return (packs, areKnown && receipts == known.count)
    }

    /// Reads the pack in the directory `folder`; `nil` if no product kind has its extension, or it can't be read.
    ///
    /// - Throws: `StoreError` if memory or file descriptors run out, which says nothing about the pack.
    func entry(in folder: String) throws -> LibraryEntry? {
        guard let (kind, name) = kinds.kind(ofFolder: folder) else { return nil }
        do {
            return try read(folder, kind: kind.kind, name: name)
        } catch let error as StoreError where error.isPassing {
            throw error
        } catch let error as StoreError where error.isInconclusive {
            // It is still there. A verification, or the next scan, reads it again.
            return known[folder]
        } catch {
            // A pack that is removed meanwhile does not count.
            return nil
        }
    }

    /// Returns the entry of a pack whose receipt is still the same file; `nil` if it is not, or not known.
    private func knownEntry(in folder: String, receipt: FileStatus?) -> LibraryEntry? {
        guard let known = known[folder], known.isRead(from: receipt) else { return nil }
        return known.with(receiptIsDamaged: false)
    }

    private func read(_ folder: String, kind: ProductKind, name: String) throws -> LibraryEntry {
        let directory = try folders.packs.openDirectory(folder)
        guard let status = try directory.status(of: Receipt.fileName) else {
            let found = try readUnmanaged(folder, directory, kind: kind, name: name, receiptIsDamaged: false)
            if let known = known[folder], known.pack.hasSameContent(as: found) {
                return known.with(receiptIsDamaged: true)
            }
            return LibraryEntry(found)
        }
        if let unchanged = knownEntry(in: folder, receipt: status) { return unchanged }
        var isDamaged = false
        do {
            let receipt = try Receipt.read(from: directory)
            if receipt.kind == kind, PackDirectoryName(productIdentifier: receipt.productIdentifier).text == name {
                return LibraryEntry(
                    LibraryPack(folder: folder, receipt: receipt, receiptFile: FileIdentity(receipt: status)))
            }
        } catch {
            // A transient failure says nothing about the receipt.
            if let error = error as? StoreError, error.isPassing { throw error }
            isDamaged = (error as? StoreError)?.code != .packNewer
        }
        if isDamaged, let known = known[folder], known.pack.folder == folder, known.pack.origin != nil {
            return known.with(receiptIsDamaged: true)
        }
        let pack = try readUnmanaged(folder, directory, kind: kind, name: name, receiptIsDamaged: isDamaged)
        return LibraryEntry(pack)
    }

    private func readUnmanaged(
        _ folder: String, _ directory: Directory, kind: ProductKind, name: String, receiptIsDamaged: Bool
    ) throws -> LibraryPack {
        var information = (try? PackInformation.read(from: directory)) ?? PackInformation()
        // A skin is used by the identifier in its own file, whatever its directory is called.
        let own = try? kinds[kind]?.information { name in
            try directory.status(of: name) == nil
                ? nil : try directory.read(name, limit: PackInformation.sizeLimit)
        }
        information.productIdentifier = information.productIdentifier ?? own?.productIdentifier
        information.name = information.name ?? own?.name
        information.version = information.version ?? own?.version
        let files = try PackFiles.list(directory)
        return LibraryPack(
            folder: folder, productIdentifier: information.productIdentifier ?? name, kind: kind,
            information: information, size: files.size,
            modifiedAt: try directory.status(of: ".")?.modifiedAt ?? Date(timeIntervalSince1970: 0),
            receiptIsDamaged: receiptIsDamaged)
    }
}

extension LibraryPack {
    /// Returns whether a pack without a receipt is, as far as its description or the size of its files tells, this
    /// installed one, whose receipt was removed.
    ///
    /// Otherwise the user has replaced the installed pack by one of their own.
    fileprivate func hasSameContent(as found: LibraryPack) -> Bool {
        guard origin != nil, folder == found.folder else { return false }
        return size == found.size
            || (version != nil && version == found.version && productIdentifier == found.productIdentifier)
    }
}
