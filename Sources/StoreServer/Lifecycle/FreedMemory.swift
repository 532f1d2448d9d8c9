import StoreSystem
import Synchronization

/// Returns memory to the system that requests of clients needed for a while.
///
/// A list of thousands of packs, or their installation, leaves much freed memory between what is still in use, which the C
/// library would hold until the daemon exits.
final class FreedMemory: Sendable {
    private let work = BlockingWork(label: "store-server.memory")
    /// When memory may be returned again; `nil` while that is being done.
    private let next = Mutex<ContinuousClock.Instant?>(.now)

    /// The freed memory in bytes that is worth returning.
    private static let least = 4 << 20
    /// The part of the time, at most, in which memory is returned.
    private static let share = 1.0 / 20

    /// Returns freed memory, if there is much; to be called when a client has gone.
    func clientHasGone() {
        let start = ContinuousClock.now
        let isDue = next.withLock { next in
            guard let time = next, time <= start else { return false }
            next = nil
            return true
        }
        guard isDue else { return }
        work.add { [self] in
            let start = ContinuousClock.now
            HeapLimit.returnFreedMemory(above: Self.least)
            let end = ContinuousClock.now
            next.withLock { $0 = end + (end - start) / Self.share }
        }
    }
}
