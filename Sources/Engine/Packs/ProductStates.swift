import StoreCatalogue
import StoreLibrary
import StoreModel

/// The data from which the states of products, such as "downloading" or "in use", are computed for a whole list.
struct ProductStates: Sendable {
    /// The installed packs, by product identifier.
    let packs: [String: LibraryPack]
    /// The names of the stores that products are being downloaded from, by product identifier.
    let downloading: [String: String]
    let purchased: Set<String>
    /// The identifiers of the products that are in use at the moment, such as the applied skin.
    let inUse: Set<String>
    /// Whether each store that the user added is a signed one, by its name.
    let signed: [String: Bool]

    init(
        _ packs: [LibraryPack], downloading: [String: String], purchased: Set<String>, inUse: Set<String>,
        signed: [String: Bool]
    ) {
        // An installed pack takes precedence, as in ``Library/pack(of:)``; the packs are in the order of their directories.
        self.packs = Dictionary(packs.map { ($0.productIdentifier, $0) }) { a, b in b.origin != nil ? b : a }
        self.downloading = downloading
        self.purchased = purchased
        self.inUse = inUse
        self.signed = signed
    }

    /// Returns the states of a store's product, such as "downloaded", the most important first.
    ///
    /// A front-end with room for one shows the first. Where several stores offer the product, only the copy of the store
    /// that it is downloaded or was installed from is marked so.
    func states(of item: ProductItem, in store: String) -> [ProductState] {
        states(of: item.productIdentifier, in: store, price: item.productPrice, isWithdrawn: item.withdrawn) {
            UpdateRule.isNewer(item, than: $0)
        }
    }

    /// - Parameter isNewer: returns whether the store has a newer version than an installed pack.
    private func states(
        of identifier: String, in store: String, price: Price, isWithdrawn: Bool,
        isNewer: (LibraryPack) -> Bool = { _ in false }
    ) -> [ProductState] {
        // A pack that was placed by hand came from no store, and stands for all of them.
        let installed = packs[identifier]
        let isOwn = installed.map { $0.origin == nil || $0.origin?.store == store } ?? false
        let pack = isOwn ? installed : nil
        let isPurchased = purchased.contains(identifier)
        var states = ProductStateSet()
        if downloading[identifier] == store { states.insert(.downloading) }
        if inUse.contains(identifier), isOwn || installed == nil { states.insert(.inUse) }
        if pack != nil { states.insert(.downloaded) }
        if isPurchased { states.insert(.purchased) }
        if price.isFree { states.insert(.free) } else if !isPurchased { states.insert(.notPurchased) }
        if let pack, pack.origin != nil, isNewer(pack) { states.insert(.updatable) }
        if pack != nil, isWithdrawn { states.insert(.withdrawn) }
        return states.list
    }

    /// Returns the states of an installed pack, such as "updatable".
    ///
    /// - Parameter catalogue: the catalogue of the pack's store; `nil` if it was never fetched or the store was
    ///   removed, so that it is unknown whether the product is withdrawn or has a newer version.
    func states(of pack: LibraryPack, catalogue: Catalogue?) -> [ProductState] {
        guard let origin = pack.origin else {
            let identifier = pack.productIdentifier
            // An installed pack of the same product takes precedence, and is the one in use.
            let isUsed = inUse.contains(identifier) && packs[identifier]?.folder == pack.folder
            var states = ProductStateSet()
            if downloading[identifier] != nil { states.insert(.downloading) }
            if isUsed { states.insert(.inUse) }
            states.insert(.downloaded)
            return states.list
        }
        let identifier = pack.productIdentifier
        // Most packs are current, and to read the whole product takes longer than the rest.
        if let version = pack.version, let price = catalogue?.price(of: identifier, at: version) {
            return states(of: identifier, in: origin.store, price: price, isWithdrawn: false)
        }
        if let item = catalogue?.summary(of: identifier) { return states(of: item, in: origin.store) }
        return states(of: identifier, in: origin.store, price: origin.price, isWithdrawn: catalogue != nil)
    }
}

/// A set of a product's states, with a list of them that all products with the same states share.
private struct ProductStateSet {
    private var bits = 0

    /// The list of each set, the most important state first.
    private static let lists: [[ProductState]] = (0..<1 << ProductState.allCases.count).map { bits in
        ProductState.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }

    var list: [ProductState] { Self.lists[bits] }

    mutating func insert(_ state: ProductState) {
        if let place = ProductState.allCases.firstIndex(of: state) { bits |= 1 << place }
    }
}
