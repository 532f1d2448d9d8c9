public import StoreModel

/// How an installed pack stands to its receipt.
public struct PackCheck: Sendable {
    /// `nil` where it can't be read; then nothing can be told of the files.
    public let receipt: Receipt?
    /// In the order of the paths; empty where nothing differs.
    public let damages: [PackDamage]

    /// The files that have the content they should, whatever their permissions.
    public var whole: [Receipt.File] {
        let lost = Set(damages.filter { $0.damage != .permissions }.map { Array($0.path.utf8) })
        return receipt?.files.filter { !lost.contains(Array($0.path.utf8)) } ?? []
    }
}
