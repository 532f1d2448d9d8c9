import StoreArchives
import StoreModel

/// The properties that packs must share to be unpacked in one batch, by the same processes and in memory.
///
/// To start a process and to confine it takes longer than to read a small pack.
struct UnpackGroup: Hashable {
    let kind: ProductKind
    let limits: ArchiveLimits

    /// The maximum number of packs in a batch: the archive of each is an open file, and a request to a process
    /// can have no more than 253 of them.
    static let packLimit = 60
    /// The maximum size of all archives of a batch in bytes.
    ///
    /// With large archives nothing would be saved, and all would wait until the last is unpacked.
    static let sizeLimit = 8 << 20
}
