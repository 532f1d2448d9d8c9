import StoreLibrary
public import StoreModel

extension StoreManager {
    /// The user's list of purchases.
    public func purchases() async throws -> [Purchase] { try await database.purchases() }

    /// Puts a product on the list; one that is on it stays as it is. It need not be in any store yet.
    public func grant(_ identifier: String) async throws -> Purchase {
        try await database.grant(identifier, at: clock.date())
    }

    /// Takes a product off the list. What is installed of it stays.
    ///
    /// - Throws: `entitlement.not-on-list`.
    public func revoke(_ identifier: String) async throws {
        guard try await database.revoke(identifier) else {
            throw EngineError(.notOnList, "'\(identifier)' is not on the list of purchases.")
        }
    }

    /// After the database was lost: what was installed although it costs something had been bought.
    func regainPurchases() async throws {
        for pack in try await library.all() {
            if let origin = pack.origin, !origin.price.isFree {
                _ = try await database.grant(pack.productIdentifier, at: clock.date())
            }
        }
    }
}
