import FoundationEssentials
import StoreLibrary
import StoreSystem

/// The version of the directory of an unmanaged pack, one placed by hand: it changes when the pack is changed.
///
/// It covers the entries of the directory and the information file, not the contents of images.
struct UnmanagedVersion: Sendable, Equatable {
    private let directory: FileIdentity?
    private let information: FileIdentity?
    /// Whether nothing was changed within 0.1 s before the version was read.
    ///
    /// Otherwise a later change may have the same time, because the kernel's clock for file times ticks slowly.
    let isSettled: Bool

    init(of pack: Directory, now: Date = Date()) {
        let statuses = [".", PackInformation.fileName].map { name in (try? pack.status(of: name)) ?? nil }
        directory = statuses[0].map { FileIdentity($0, by: .modification) }
        information = statuses[1].map { FileIdentity($0, by: .modification) }
        isSettled = statuses.allSatisfy { $0.map { now.timeIntervalSince($0.modifiedAt) > 0.1 } ?? true }
    }
}
