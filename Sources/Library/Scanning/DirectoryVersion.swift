import FoundationEssentials
import StoreSystem

/// The modification time of the packs directory when it was last read.
struct DirectoryVersion: Sendable {
    private let identity: FileIdentity
    /// Whether the directory was read so long after its last change that any later change has another time.
    ///
    /// The kernel's clock for file times ticks a few hundred times a second: a change in the same tick as the read would
    /// go unnoticed.
    private let isSettled: Bool

    init?(of folder: Directory, now: Date = Date()) {
        guard let status = try? folder.status(of: ".") else { return nil }
        identity = FileIdentity(status, by: .modification)
        isSettled = now.timeIntervalSince(status.modifiedAt) > 0.1
    }

    /// Returns whether nothing has changed since this version was read, where `present` is the directory's version now.
    func isCurrent(at present: DirectoryVersion) -> Bool { isSettled && identity == present.identity }
}
