import StoreArchives
import StoreModel

/// What packs have in common that are unpacked and checked together, by processes that they share.
///
/// To start a process and to confine it takes longer than to read a small pack.
struct UnpackGroup: Hashable {
    let kind: ProductKind
    let limits: ArchiveLimits

    /// The most packs that are unpacked together: each takes two of the open files that a request to a process can have.
    static let packLimit = 30
    /// The most bytes of the archives of packs that are unpacked together.
    ///
    /// With large ones nothing would be saved, and all would wait until the last is unpacked.
    static let sizeLimit = 8 << 20
}
