public import StoreModel
import StoreSystem
import Synchronization

extension Library {
    /// Every file of a pack against its receipt, byte for byte; empty where nothing differs.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand` for a pack that has no receipt.
    public func verify(_ productIdentifier: String) async throws -> [PackDamage] {
        try await inspect(productIdentifier).damages
    }

    /// As ``verify(_:)``, with what the receipt says and which files are whole.
    public func inspect(_ productIdentifier: String) async throws -> PackCheck {
        while true {
            let pack = try await installed(productIdentifier, evenByHand: true)
            if pack.origin == nil, !pack.receiptIsDamaged { _ = try await installed(productIdentifier) }
            let folders = folders
            let directory = try await checking.run { try folders.open(pack) }
            let check = try await check(directory)
            // A version that was replaced or removed meanwhile is taken apart, which is no damage.
            if check.damages.isEmpty || folders.packs.holds(directory, as: pack.folder) { return check }
        }
    }

    private func check(_ directory: Directory) async throws -> PackCheck {
        let comparison = try await checking.run { try PackComparison(directory) }
        // A small pack is not worth dividing; it goes to either thread.
        let isLarge = comparison.size > 1 << 20
        let threads = isLarge ? hashing : [hashing[Int.random(in: hashing.indices)]]
        let cursor = Cursor()
        let damages = try await withThrowingTaskGroup(of: [PackDamage].self) { group in
            for thread in threads {
                group.addTask { try await thread.run { try comparison.hash { cursor.next() } } }
            }
            var damages = comparison.damages
            for try await found in group { damages += found }
            return damages
        }
        return PackCheck(receipt: comparison.receipt, damages: damages.sorted { $0.path < $1.path })
    }

    private final class Cursor: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    /// Takes files over from the installed pack into one that is prepared: copied, where the file system can as the same
    /// blocks, and held to their hashes. A second name for the same file would be quicker, but whoever edits a pack's
    /// file by hand would change the version before with it.
    ///
    /// - Throws: `pack.not-installed`; `pack.changed` where a file is not, or no longer, what it should be.
    public func takeOver(
        _ files: [(source: String, file: Receipt.File)], of productIdentifier: String, into staged: StagedPack
    ) async throws {
        if files.isEmpty { return }
        let pack = try await installed(productIdentifier)
        let folders = folders
        try await checking.run {
            let directory = try folders.open(pack)
            try PackFiles.copy(files, from: directory, to: staged.directory)
        }
    }
}
