public import StoreModel

/// The result of comparing the files of a pack with its receipt, which lists the files with their hashes.
public struct PackCheck: Sendable {
    /// The receipt of the checked pack; `nil` if it can't be read, so that the files can't be compared.
    public let receipt: Receipt?
    /// The differences between pack and receipt in the order of the paths; empty for an intact pack.
    ///
    /// If the receipt can't be read, the only one is that of the receipt.
    public let damages: [PackDamage]

    /// The pack's files with the content that the receipt states, whatever their permissions; none without a receipt.
    public var whole: [Receipt.File] {
        let lost = Set(damages.filter { $0.damage != .permissions }.map { Array($0.path.utf8) })
        return receipt?.files.filter { !lost.contains(Array($0.path.utf8)) } ?? []
    }
}
