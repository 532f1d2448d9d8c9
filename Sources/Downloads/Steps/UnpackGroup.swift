import StoreArchives
import StoreModel

/// The properties that packs must share to be unpacked into memory in one batch, by the same two processes.
///
/// To start a process and to confine it takes longer than to read a small pack.
struct UnpackGroup: Hashable {
    let kind: ProductKind
    let limits: ArchiveLimits

    /// The maximum number of packs in a batch.
    ///
    /// Each archive is an open file of one request, which carries at most ``StoreSystem/MessageSocket/descriptorLimit`` of them:
    /// the archives, and those of the request, the report and the result.
    static let packLimit = 60
    /// The maximum size of all archives of a batch in bytes.
    ///
    /// With large archives nothing would be saved, and all would wait until the last is unpacked.
    static let sizeLimit = 4 << 20
}
