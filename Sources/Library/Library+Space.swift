public import FoundationEssentials
import StoreSystem
import Synchronization

extension Library {
    /// Gives back the space of what was removed. Others can use the library meanwhile. When cancelled it stops soon,
    /// and what is left waits for the next time.
    public nonisolated func emptyTrash() async {
        let folders = folders
        let stop = StopFlag()
        await withTaskCancellationHandler {
            try? await removal.run { try Trash(folder: folders.trash).empty { stop.isSet } }
        } onCancel: {
            stop.set()
        }
    }

    private final class StopFlag: Sendable {
        private let flag = Atomic(false)
        var isSet: Bool { flag.load(ordering: .relaxed) }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// Removes versions before that were replaced longer than `age` seconds ago.
    public func expirePrevious(olderThan age: TimeInterval) async {
        let folders = folders
        let limit = Date().addingTimeInterval(-age)
        try? await disk.run {
            for entry in try folders.previous.entries() {
                // A rename into the folder sets this time, so that it tells when the version was replaced.
                guard let status = try folders.previous.status(of: entry.name), status.changedAt < limit else {
                    continue
                }
                try PreviousVersions(folders: folders).remove(entry.name)
            }
        }
    }
}
