public import StoreModel

/// The result of comparing a pack with its receipt.
public struct PackCheck: Sendable {
    /// The receipt; `nil` where it can't be read, so that the files can't be compared.
    public let receipt: Receipt?
    /// The differences in the order of the paths; empty where there are none.
    public let damages: [PackDamage]

    /// The files with the right content, whatever their permissions.
    public var whole: [Receipt.File] {
        let lost = Set(damages.filter { $0.damage != .permissions }.map { Array($0.path.utf8) })
        return receipt?.files.filter { !lost.contains(Array($0.path.utf8)) } ?? []
    }
}
