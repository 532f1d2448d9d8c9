import StoreMessages
import StoreModel

/// Numbers with the nouns that they count.
extension Messages {
    /// Returns a number of files.
    func files(_ number: Int) -> String {
        text(number, one: "{count} file", other: "{count} files")
    }

    /// Returns a number of files of a pack with one type of damage.
    func files(_ number: Int, damagedBy damage: PackDamage.Kind) -> String {
        switch damage {
        case .missing: text(number, one: "{count} missing file", other: "{count} missing files")
        case .changed: text(number, one: "{count} changed file", other: "{count} changed files")
        case .replaced: text(number, one: "{count} replaced file", other: "{count} replaced files")
        case .unreadable: text(number, one: "{count} unreadable file", other: "{count} unreadable files")
        case .permissions:
            text(
                number, one: "{count} file with wrong permissions", other: "{count} files with wrong permissions")
        case .added: text(number, one: "{count} added file", other: "{count} added files")
        }
    }

    /// Returns a number of products.
    func products(_ number: Int) -> String {
        text(number, one: "{count} product", other: "{count} products")
    }

    /// Returns a number of stickers.
    func stickers(_ number: Int) -> String {
        text(number, one: "{count} sticker", other: "{count} stickers")
    }
}
