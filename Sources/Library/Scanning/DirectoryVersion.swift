import FoundationEssentials
import StoreSystem

/// The version of a directory's list of entries: the directory's identity and modification time at a moment.
///
/// Two versions are compared to find out whether the directory has to be read again.
struct DirectoryVersion: Sendable {
    private let identity: FileIdentity
    /// Whether the directory was read more than 0.1 s after its last change.
    ///
    /// Any later change then has another time. The kernel's clock for file times ticks a few hundred times a second: a
    /// change in the same tick as the read would go unnoticed.
    private let isSettled: Bool

    /// Reads the version of a directory's list of entries; `nil` if the directory's status can't be read.
    init?(of folder: Directory, now: Date = Date()) {
        guard let status = try? folder.status(of: ".") else { return nil }
        identity = FileIdentity(status, by: .modification)
        isSettled = now.timeIntervalSince(status.modifiedAt) > 0.1
    }

    /// Returns whether the directory's entries are certainly the same as when this version was read.
    ///
    /// - Parameter present: the directory's version now.
    /// - Returns: `false` also if this version was read so soon after a change that another one might have gone
    ///   unnoticed.
    func isCurrent(at present: DirectoryVersion) -> Bool { isSettled && identity == present.identity }
}
