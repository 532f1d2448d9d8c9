import StoreDownloads
import StoreLibrary
public import StoreModel

extension PacksManager {
    /// Compares an installed pack's files with its receipt, the list of its files and hashes.
    ///
    /// Differences other than those published last are published as an event.
    ///
    /// - Returns: the differences; none if the pack is undamaged. If the pack's directory is missing, it is the only one.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`.
    public func verify(_ identifier: String) async throws -> [PackDamage] {
        try await verification(of: identifier).damages
    }

    /// Compares an installed pack's files with its receipt, as ``verify(_:)`` does, and counts the files.
    ///
    /// - Throws: as ``verify(_:)``.
    public func verification(of identifier: String) async throws -> PackVerification {
        let check: PackCheck
        do {
            check = try await library.inspect(identifier)
        } catch let error as StoreError where error.code == .packMissing {
            guard await lister.missingPack(identifier) != nil else { throw error }
            return PackVerification(files: 0, damages: [.missingDirectory])
        }
        await publish(check.damages, of: identifier)
        return PackVerification(files: check.receipt?.files.count ?? 0, damages: check.damages)
    }

    private func publish(_ damages: [PackDamage], of identifier: String) async {
        guard !damages.isEmpty else {
            publishedDamage[identifier] = nil
            return
        }
        guard publishedDamage[identifier] != damages, let pack = try? await library.pack(of: identifier) else { return }
        publishedDamage[identifier] = damages
        log.warning("damaged pack found", metadata: ["product": "\(identifier)", "files": "\(damages.count)"])
        await publisher.publishDamage(damages.count, of: pack)
    }

    /// Begins to repair an installed pack: installs the same version again from the store it came from.
    ///
    /// A pack whose directory is missing is installed again in the version that its store offers.
    ///
    /// Only the damaged files are fetched, if the store has an entry table (list of the archive's files) and its server
    /// supports range requests.
    ///
    /// - Parameter consent: the permissions that the user grants; used if the receipt, the pack's description, is too
    ///   damaged to contain them.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.busy`, `product.incomplete`, `consent.needed`;
    ///   `pack.damaged-receipt` if the origin of the pack is not known any more.
    public nonisolated func repair(
        _ identifier: String, consent: Consent = []
    ) async throws -> Installation {
        try installer.locks.requireFree(identifier)
        let pack: LibraryPack
        do {
            pack = try await lister.libraryPack(identifier)
        } catch let error as StoreError where error.code == .packMissing {
            guard let missing = await lister.missingPack(identifier) else { throw error }
            return try await installer.install(identifier, store: missing.store, consent: consent)
        }
        return try await installer.repair(pack, consent: consent)
    }
}

/// The result of comparing the files of an installed pack with its receipt, the list of its files and hashes.
public struct PackVerification: Sendable {
    /// The number of files that were compared; 0 if the receipt can't be read, or the pack's directory is missing.
    public let files: Int
    /// The differences in the order of the paths; none if the pack is undamaged.
    ///
    /// If the pack's directory is missing, it is the only one.
    public let damages: [PackDamage]
}
