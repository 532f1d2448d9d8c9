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

    /// The memory that the products counted so far take, in bytes.
    var memory: Int { used.withLock(\.memory) }

    /// Counts one product.
    ///
    /// - Parameters:
    ///   - memory: the memory that the product takes, in bytes (``ProductRecord/memory``).
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
