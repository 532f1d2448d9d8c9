import StoreModel
import StoreSystem
import Synchronization

/// An archive of which only some parts come, each to its own place in a file that is as sparse as the parts are apart.
/// It outlives the attempts of a download: each goes on where the one before stopped.
final class PartialArchive: Sendable {
    let file: OpenFile
    let plan: FetchPlan
    /// As the receipt of the installed pack has it.
    let archive: Receipt.Archive
    /// Bytes that came before the parts did, which are counted with them: those of the entry table.
    private let before: Int
    private let state: Mutex<State>

    private struct State {
        var missing: ArraySlice<Range<Int>>
        var received = 0
        /// Bytes of the first missing range that are here.
        var ofFirst = 0
    }

    init(file: OpenFile, plan: FetchPlan, archive: Receipt.Archive, before: Int) {
        self.file = file
        self.plan = plan
        self.archive = archive
        self.before = before
        state = Mutex(State(missing: plan.ranges[...]))
    }

    /// What to ask for next; `nil` when all is here.
    var next: Range<Int>? {
        state.withLock { state in
            state.missing.first.map { $0.lowerBound + state.ofFirst..<$0.upperBound }
        }
    }

    /// So many bytes of the range that was asked for last are here.
    ///
    /// - Parameter asked: as ``next`` gave it.
    func received(_ count: Int, of asked: Range<Int>) {
        state.withLock { state in
            guard let first = state.missing.first, first.upperBound == asked.upperBound else { return }
            let here = asked.lowerBound + count - first.lowerBound
            state.received += max(0, here - state.ofFirst)
            state.ofFirst = max(here, state.ofFirst)
            guard state.ofFirst >= first.count else { return }
            state.missing.removeFirst()
            state.ofFirst = 0
        }
    }

    /// Bytes that came over the network, and how many there are to be.
    var progress: (received: Int, expected: Int) {
        (before + state.withLock { $0.received }, before + plan.size)
    }
}
