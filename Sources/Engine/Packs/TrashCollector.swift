import StoreDatabase
import StoreLibrary
import Synchronization

/// The part of the engine that deletes removed packs from the trash directory in the background.
final class TrashCollector: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Whether `task` was created but has not begun to delete, so that it will delete everything in the trash.
        var isPending = false
        /// The task that waits until packs are no longer installed one after another; `nil` while none waits.
        var waiting: Task<Void, Never>?
        /// When ``TrashCollector/emptyAfterInstalls()`` was called last.
        var lastInstall = ContinuousClock.now
    }

    /// The time without an installation after which the trash is emptied, and the longest wait for it.
    private static let (quiet, longestWait) = (Duration.seconds(1), Duration.seconds(60))

    private let library: Library
    private let database: LibraryDatabase
    private let state = Mutex(State())

    init(library: Library, database: LibraryDatabase) {
        self.library = library
        self.database = database
    }

    /// Begins to delete all removed packs in the trash in the background, unless that is about to begin already.
    func empty() {
        state.withLock { state in
            guard !state.isPending else { return }
            state.isPending = true
            let previous = state.task
            state.task = Task { await self.run(after: previous) }
        }
    }

    /// Begins to delete what installations have left, little each, once no more packs are installed one after another.
    ///
    /// Deleting takes time that the installations need, and ext4 without a journal then searches longer for the next free
    /// inode, for minutes (`recently_deleted` in fs/ext4/ialloc.c).
    func emptyAfterInstalls() {
        state.withLock { state in
            state.lastInstall = ContinuousClock.now
            if state.waiting == nil { state.waiting = Task { await self.waitForQuiet() } }
        }
    }

    private func waitForQuiet() async {
        let end = ContinuousClock.now + Self.longestWait
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.quiet)
            let now = ContinuousClock.now
            let isOver = state.withLock { state in
                guard now >= state.lastInstall + Self.quiet || now >= end else { return false }
                state.waiting = nil
                return true
            }
            if isOver { return empty() }
        }
    }

    private func run(after previous: Task<Void, Never>?) async {
        await withTaskCancellationHandler {
            await previous?.value
        } onCancel: {
            previous?.cancel()
        }
        // The response to the request that removed the pack is sent first: deleting keeps every processor busy.
        try? await Task.sleep(for: .milliseconds(5))
        state.withLock { $0.isPending = false }
        if Task.isCancelled { return }
        await library.emptyTrash()
        // Now there is space for the records of operations on a full disk.
        await database.retryPendingEnds()
    }

    /// Stops deleting removed packs, and returns when nothing is being deleted.
    func stop() async {
        let waiting = state.withLock { $0.waiting }
        waiting?.cancel()
        await waiting?.value
        // Read now, because the other task may have begun this one.
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
    }
}
