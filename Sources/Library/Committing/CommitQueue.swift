import StoreModel

/// The prepared packs that wait to be committed together.
///
/// A commit syncs the file system, whatever the number of its packs. Where many are installed one after another, a pack
/// is ready before the next one, and each would be synced alone. So a pack may wait a moment for others.
struct CommitQueue {
    /// A prepared pack, and the caller that waits for its commit.
    struct Waiting {
        let member: PackCommit.Member
        let continuation: CheckedContinuation<LibraryEntry, any Error>
    }

    /// The longest time that a pack waits for others: short beside the time that many packs take.
    static let longestWait = Duration.milliseconds(500)
    /// The number of packs that are enough for a group; each has two open directories.
    static let enough = 128

    private var waiting: [Waiting] = []
    /// Whether all packs that wait may wait for others.
    private var mayWait = true
    /// Whether no pack waits for others any more, because the library is about to be closed.
    private var isClosing = false
    /// Whether groups are being committed.
    private var isRunning = false
    /// The task that ends when the next group is to be committed; `nil` while none is gathered.
    private var timer: Task<Void, Never>?

    /// Adds a pack to the next group.
    ///
    /// - Parameter mayWait: whether the pack may wait for others.
    /// - Returns: whether the caller has to commit the groups, because that is not being done.
    mutating func add(
        _ member: PackCommit.Member, mayWait: Bool, _ continuation: CheckedContinuation<LibraryEntry, any Error>
    ) -> Bool {
        waiting.append(Waiting(member: member, continuation: continuation))
        if !mayWait { self.mayWait = false }
        if isGathered { timer?.cancel() }
        defer { isRunning = true }
        return !isRunning
    }

    /// Ends the wait of the packs that wait, and of all that come later.
    mutating func stopWaiting() {
        isClosing = true
        timer?.cancel()
    }

    private var isGathered: Bool { isClosing || !mayWait || waiting.count >= Self.enough }

    /// Returns the task that ends when the next group is to be committed; `nil` if no pack waits, which ends the run.
    mutating func timer(_ clock: TimeSource) -> Task<Void, Never>? {
        guard !waiting.isEmpty else {
            isRunning = false
            return nil
        }
        let isGathered = isGathered
        let timer = Task { if !isGathered { try? await clock.sleep(Self.longestWait, "commits") } }
        self.timer = timer
        return timer
    }

    /// Removes the packs that wait, and returns them.
    mutating func takeGroup() -> [Waiting] {
        defer { (waiting, mayWait, timer) = ([], true, nil) }
        return waiting
    }
}
