import StoreModel
import StoreSystem
import Synchronization

/// A sparse file with those parts of an archive that a repair or an update needs, each at its own offset.
///
/// It outlives the attempts of a download: each attempt continues where the previous one stopped.
final class PartialArchive: Sendable {
    let file: OpenFile
    let plan: FetchPlan
    /// The URL, size and hash of the archive, for the receipt (description) of the pack.
    let archive: Receipt.Archive
    /// The size in bytes of the archive's entry table; 0 if none was needed.
    ///
    /// The table lists the archive's files. It was fetched first and counts as progress too.
    private let entryTableSize: Int
    private let state: Mutex<State>

    private struct State {
        var missing: ArraySlice<Range<Int>>
        var received = 0
        /// The number of bytes of the first missing range of the archive that are on disk already.
        var receivedOfFirst = 0
    }

    init(file: OpenFile, plan: FetchPlan, archive: Receipt.Archive, entryTableSize: Int) {
        self.file = file
        self.plan = plan
        self.archive = archive
        self.entryTableSize = entryTableSize
        state = Mutex(State(missing: plan.ranges[...]))
    }

    /// The next byte range of the archive to request, without bytes that are on disk; `nil` when all are on disk.
    var next: Range<Int>? {
        state.withLock { state in
            state.missing.first.map { $0.lowerBound + state.receivedOfFirst..<$0.upperBound }
        }
    }

    /// Records how many bytes of a requested range of the archive are on disk.
    ///
    /// A range that is no longer the first missing one is ignored.
    ///
    /// - Parameters:
    ///   - count: the number of bytes from the start of `requested`.
    ///   - requested: the range, as ``next`` returned it.
    func record(_ count: Int, of requested: Range<Int>) {
        state.withLock { state in
            guard let first = state.missing.first, first.upperBound == requested.upperBound else { return }
            let received = requested.lowerBound + count - first.lowerBound
            state.received += max(0, received - state.receivedOfFirst)
            state.receivedOfFirst = max(received, state.receivedOfFirst)
            guard state.receivedOfFirst >= first.count else { return }
            state.missing.removeFirst()
            state.receivedOfFirst = 0
        }
    }

    /// The number of bytes of an archive's parts that came over the network so far, and the number to come in all.
    ///
    /// Both include the archive's entry table (list of files).
    var progress: (received: Int, expected: Int) {
        (entryTableSize + state.withLock { $0.received }, entryTableSize + plan.size)
    }
}
