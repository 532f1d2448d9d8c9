import StoreDatabase
import StoreLibrary
public import StoreModel

/// The user's list of purchased products, which entitles to install products that have a price.
public struct Purchases: Sendable {
    let database: LibraryDatabase
    let clock: TimeSource
    let publisher: StatePublisher

    /// Returns the user's recorded purchases of products.
    public func list() async throws -> [Purchase] { try await database.purchases() }

    /// Returns the identifiers of the purchased products; none if the database can't be read.
    func identifiers() async -> Set<String> { Set(((try? await list()) ?? []).map(\.productIdentifier)) }

    /// Returns whether the user purchased a product; `false` if the database can't be read.
    func contains(_ identifier: String) async -> Bool { (try? await database.isPurchased(identifier)) ?? false }

    /// Records the purchase of a product; an earlier purchase stays unchanged.
    ///
    /// The product need not be offered by any store.
    public func grant(_ identifier: String) async throws -> Purchase {
        let purchase = try await database.grant(identifier, at: clock.date())
        await publisher.publish(.purchases)
        return purchase
    }

    /// Removes a product from the user's purchases; an installed pack of the product stays.
    ///
    /// - Throws: `entitlement.not-on-list`.
    public func revoke(_ identifier: String) async throws {
        guard try await database.revoke(identifier) else {
            throw StoreError(.noSuchPurchase, ["product": identifier])
        }
        await publisher.publish(.purchases)
    }

    /// Returns whether a product is free or the user purchased it.
    func isEntitled(to item: ProductItem) async throws -> Bool {
        if item.productPrice.isFree { return true }
        return try await database.isPurchased(item.productIdentifier)
    }

    /// Checks that a product is free or that the user purchased it.
    ///
    /// - Throws: `entitlement.missing`.
    func requireEntitlement(to item: ProductItem) async throws {
        guard try await !isEntitled(to: item) else { return }
        throw StoreError(
            .purchaseMissing, ["product": item.productIdentifier, "price": "\(item.productPrice)"])
    }

    /// Records a purchase for every installed pack with a price; used after the database was lost.
    func restore(from packs: [LibraryPack]) async throws {
        for pack in packs {
            guard let origin = pack.origin, !origin.price.isFree else { continue }
            _ = try await grant(pack.productIdentifier)
        }
    }
}
