import StoreDatabase
import StoreLibrary
import Synchronization

/// The part of the engine that deletes removed packs from the trash directory in the background.
final class TrashCollector: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Whether `task` was created but has not begun to delete, so that it will delete everything in the trash.
        var isPending = false
    }
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
        let task = state.withLock { $0.task }
        task?.cancel()
        await task?.value
    }
}
