import StoreLibrary
import Synchronization

/// What the steps of a task so far have brought. One step at a time is at it.
///
/// An object and not a value: of a long queue nearly all tasks wait, and in each call that waits there would be room
/// for copies of it.
final class DownloadWork: Sendable {
    private struct Content {
        var transfer = DownloadSteps.Transfer.undecided
        var downloaded: DownloadSteps.Downloaded?
        var unpacked: DownloadSteps.Unpacked?
        var pack: LibraryPack?
    }
    private let inside = Mutex(false)
    private let content = Mutex(Content())

    /// Whether the task has a place among those that transfer.
    var isInside: Bool {
        get { inside.withLock { $0 } }
        set { inside.withLock { $0 = newValue } }
    }

    var transfer: DownloadSteps.Transfer {
        get { content.withLock { $0.transfer } }
        set { content.withLock { $0.transfer = newValue } }
    }

    var downloaded: DownloadSteps.Downloaded? {
        get { content.withLock { $0.downloaded } }
        set { content.withLock { $0.downloaded = newValue } }
    }

    var unpacked: DownloadSteps.Unpacked? {
        get { content.withLock { $0.unpacked } }
        set { content.withLock { $0.unpacked = newValue } }
    }

    var pack: LibraryPack? {
        get { content.withLock { $0.pack } }
        set { content.withLock { $0.pack = newValue } }
    }

    /// How many of the archive's bytes are here; `nil` where nothing was begun.
    var bytes: Int? {
        switch transfer {
        case .undecided: nil
        case .parts(let parts, _): parts.progress.received
        case .whole(let file, _): file.size
        }
    }
}
