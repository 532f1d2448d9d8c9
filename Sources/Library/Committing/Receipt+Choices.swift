import StoreModel

extension Receipt {
    /// What the user chose for an installed pack, which each new version takes over from the one that it replaces.
    struct Choices: Sendable, Hashable {
        /// Whether updates that do not name the product skip the pack.
        var held: Bool
        /// Whether the pack was installed only because another product needs it.
        var asDependency: Bool
    }

    /// What the user chose for the pack that the receipt describes.
    var choices: Choices {
        get { Choices(held: held, asDependency: asDependency ?? false) }
        set {
            held = newValue.held
            asDependency = newValue.asDependency ? true : nil
        }
    }
}

extension LibraryPack.Origin {
    /// What the user chose for the pack, as its receipt has it.
    var choices: Receipt.Choices { Receipt.Choices(held: held, asDependency: asDependency) }
}
