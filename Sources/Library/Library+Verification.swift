public import StoreModel
import StoreSystem
import Synchronization

extension Library {
    /// Compares every file of an installed pack with the pack's receipt, and returns the differences.
    ///
    /// The receipt lists the files with their hashes. The result is empty for an intact pack. If the receipt is
    /// damaged, the only difference is that of the receipt. When the task is cancelled, the comparison ends before the
    /// next mebibyte is read.
    ///
    /// - Throws: `pack.not-installed`; `conflict.by-hand` for a pack without a receipt; `pack.newer`;
    ///   `CancellationError`; another `StoreError` if the pack's directory can't be read.
    public func verify(_ productIdentifier: String) async throws -> [PackDamage] {
        try await inspect(productIdentifier).damages
    }

    /// Compares every file of an installed pack with the pack's receipt, which lists the files with their hashes.
    ///
    /// A pack that is replaced during the comparison is compared again.
    ///
    /// - Returns: the receipt, the differences and the intact files.
    /// - Throws: as ``verify(_:)``.
    public func inspect(_ productIdentifier: String) async throws -> PackCheck {
        while true {
            let pack = try await installed(productIdentifier, includingUnmanaged: true)
            if pack.origin == nil, !pack.receiptIsDamaged { _ = try await installed(productIdentifier) }
            let folders = folders
            let directory = try await reading.run { try folders.open(pack) }
            let check = try await check(directory)
            // A version that is replaced or removed meanwhile loses its files, which is no damage.
            if try check.damages.isEmpty || folders.packs.holds(directory, as: pack.folder) { return check }
        }
    }

    private func check(_ directory: Directory) async throws -> PackCheck {
        let comparison = try await reading.runCancellable { try PackComparison(directory, cancellation: $0) }
        // Dividing a small pack takes longer than it saves; either thread gets all of it.
        let isLarge = comparison.size > 1 << 20
        let threads = isLarge ? hashing : [hashing[Int.random(in: hashing.indices)]]
        let cursor = Cursor()
        let damages = try await withThrowingTaskGroup(of: [PackDamage].self) { group in
            for thread in threads {
                group.addTask {
                    try await thread.runCancellable { try comparison.hash(cursor.next, cancellation: $0) }
                }
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
}
