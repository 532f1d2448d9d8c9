import FoundationEssentials
import StoreModel
import Synchronization

/// A count of the products of one catalogue and of the memory that they take, made while its documents are read.
///
/// Counting afterwards would be too late: a small document can list what takes a hundred times its size in memory. The
/// documents of a catalogue share one budget.
final class CatalogueBudget: Sendable {
    let limits: CatalogueLimits
    private let used = Mutex((products: 0, memory: 0))

    init(_ limits: CatalogueLimits) { self.limits = limits }

    /// Counts one product.
    ///
    /// - Parameters:
    ///   - memory: the memory that the product takes, in bytes (``CatalogueEntry/memory(base:)``).
    ///   - document: the description of the document for messages.
    /// - Throws: `catalogue.too-large` where the catalogue exceeds the number of products or the memory.
    func add(memory: Int, document: String) throws(StoreError) {
        let used = used.withLock { used in
            used.products += 1
            used.memory += memory
            return used
        }
        guard used.products <= limits.products else {
            throw StoreError(.catalogueTooManyProducts, ["document": document, "limit": limits.products])
        }
        guard used.memory <= limits.memory else {
            throw StoreError(.catalogueTooMuchMemory, ["document": document, "limit": .bytes(limits.memory)])
        }
    }
}

extension CatalogueEntry {
    /// The memory of a product without its texts and addresses: the values themselves, in the catalogue and while lists
    /// of products are merged, and the entry in the catalogue's table of identifiers.
    private static let fixedMemory = 1_200
    /// The memory of a text beside its bytes.
    private static let textMemory = 40
    /// The memory of the hash of a file.
    private static let hashMemory = 64
    /// The memory of a mirror beside its text: a parsed URL, with the positions of its parts.
    private static let mirrorMemory = 640

    /// Returns an estimate of the memory that the entry's product takes in a catalogue, in bytes.
    ///
    /// - Parameter base: the document's URL, which is a part of each relative URL.
    func memory(base: URL) -> Int {
        let names = (productName?.byLanguage ?? [:]).flatMap { [$0.key, $0.value] }
        let searched = names + tags + categories + [productIdentifier, publisher].compactMap(\.self)
        let files = [resource, entryTable, image, details, sprite].compactMap(\.self) + previews
        let addresses = files.map(\.url) + mirrors
        let texts =
            searched + addresses + dependencies + permissions + authors + locales
            + [productType, version, license, productPrice?.amount].compactMap(\.self)
        // A search examines a copy of the first texts.
        let bytes = texts.reduce(0) { $0 + $1.utf8.count } + searched.reduce(0) { $0 + $1.utf8.count }
        return Self.fixedMemory + bytes + texts.count * Self.textMemory
            + addresses.count * base.absoluteString.utf8.count + files.count * Self.hashMemory
            + mirrors.count * Self.mirrorMemory
    }
}
