import FoundationEssentials
import StoreSystem

/// When the packs' folder was looked at, by its own time of change.
struct DirectoryVersion: Sendable {
    let modifiedAt: Date
    /// Whether the look came so long after the change before it that any change since would show. The kernel's clock
    /// for file times ticks a few hundred times a second: a change in the same tick as the look leaves no trace.
    private let isSettled: Bool

    init?(of folder: Directory, now: Date = Date()) {
        guard let status = try? folder.status(of: ".") else { return nil }
        modifiedAt = status.modifiedAt
        isSettled = now.timeIntervalSince(status.modifiedAt) > 0.1
    }

    /// Whether what this look found is all that there is, now that the folder has the mark `present`.
    func stillHolds(at present: DirectoryVersion) -> Bool { isSettled && modifiedAt == present.modifiedAt }
}
