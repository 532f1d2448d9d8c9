/// The signed metadata of a publication, which clients don't see yet.
enum PublicationSignature {
    /// The store is not signed.
    case unsigned
    /// The metadata of a signed store.
    case store(MetadataSigner.Signed)
    /// The metadata of a publisher, which the store's owner shows to clients.
    case publisher(MetadataSigner.SignedTargets)

    /// The metadata files that were signed anew.
    var renewed: [Storehouse.SignedFile] {
        switch self {
        case .unsigned: []
        case .store(let signed): signed.renewed
        case .publisher(let signed): signed.renewed
        }
    }

    /// The metadata files that expire soon, and for whose successors signatures are missing.
    var waiting: [Storehouse.SignedFile] {
        switch self {
        case .unsigned: []
        case .store(let signed): signed.waiting.map(\.file)
        case .publisher(let signed): signed.waiting.map(\.file)
        }
    }

    /// The dates on which the metadata files expire.
    var expiries: [Storehouse.Expiry] {
        switch self {
        case .unsigned: []
        case .store(let signed): signed.expiries
        case .publisher(let signed): [Storehouse.Expiry(publisher: signed.targets)]
        }
    }
}
