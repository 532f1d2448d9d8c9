import StoreDownloads
import StoreLibrary
public import StoreModel

extension PacksManager {
    /// Compares a pack's files with its receipt, and returns the differences.
    ///
    /// Differences other than those published last are published as an event.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`.
    public func verify(_ identifier: String) async throws -> [PackDamage] {
        let check = try await library.inspect(identifier)
        await publish(check.damages, of: identifier)
        return check.damages
    }

    private func publish(_ damages: [PackDamage], of identifier: String) async {
        guard !damages.isEmpty else {
            publishedDamage[identifier] = nil
            return
        }
        guard publishedDamage[identifier] != damages, let pack = try? await library.pack(of: identifier) else { return }
        publishedDamage[identifier] = damages
        log.warning("damaged pack found", metadata: ["product": "\(identifier)", "files": "\(damages.count)"])
        events.publish(
            .pack(
                PackChange(
                    productIdentifier: identifier, kind: pack.kind, change: .damaged, version: pack.version,
                    damages: damages.count)))
    }

    /// Begins to repair a pack: installs the same version again from the pack's origin.
    ///
    /// Only the damaged files are fetched, where the store has an entry table and its server supports range requests.
    ///
    /// - Parameter consent: the permissions that the user grants; used where the receipt is too damaged to contain
    ///   them.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.busy`, `product.incomplete`, `consent.needed`;
    ///   `pack.damaged-receipt` where the origin of the pack is not known any more.
    public nonisolated func repair(
        _ identifier: String, consent: Set<Permission> = []
    ) async throws -> Installation {
        try installer.locks.requireFree(identifier)
        return try await installer.repair(lister.libraryPack(identifier), consent: consent)
    }
}
