import StoreSystem
import Synchronization

/// Returns memory to the system that requests needed for a while.
///
/// A list of thousands of packs, or their installation, leaves much freed memory between what is still in use, which the C
/// library would hold until the daemon exits.
final class FreedMemory: Sendable {
    private struct State {
        /// Whether a task returns memory, or waits until it may do so again.
        var isActive = false
        /// Whether a connection was closed since memory was last returned.
        var isDue = false
        /// The memory in bytes that was held after it was last returned: no more of it can be returned.
        var kept = 0
    }
    private let state = Mutex(State())
    private let work = BlockingWork(label: "store-server.memory")

    /// Memory is returned only if this many bytes more are held than after the last time.
    private static let threshold = 4 << 20
    /// The wait after memory was returned, as a multiple of the time that took: allocations of all threads wait meanwhile.
    private static let pause = 20

    /// Returns freed memory soon, if there is much.
    func connectionDidClose() {
        let begins = state.withLock { state in
            state.isDue = true
            defer { state.isActive = true }
            return !state.isActive
        }
        guard begins else { return }
        Task {
            while beginsAgain() {
                let duration = try? await work.run { [self] in ContinuousClock().measure(returnFreedMemory) }
                try? await Task.sleep(for: (duration ?? .zero) * Self.pause)
            }
        }
    }

    /// Returns whether a connection was closed since the last call; if not, nothing is active any more.
    private func beginsAgain() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            state.isActive = state.isDue
            return state.isDue
        }
    }

    private func returnFreedMemory() {
        guard HeapLimit.heldMemory > state.withLock({ $0.kept }) + Self.threshold else { return }
        HeapLimit.returnFreedMemory()
        let kept = HeapLimit.heldMemory
        state.withLock { $0.kept = kept }
    }
}
