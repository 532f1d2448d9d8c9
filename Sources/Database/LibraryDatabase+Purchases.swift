public import FoundationEssentials
import GRDB
public import StoreModel

extension LibraryDatabase {
    /// Returns the user's purchases of products, ordered by product identifier.
    public func purchases() async throws -> [Purchase] {
        try await perform { database in
            try Row.fetchAll(database, sql: "SELECT * FROM purchases ORDER BY productIdentifier")
                .compactMap(Purchase.init)
        }
    }

    /// Returns whether the user has purchased a product.
    public func isPurchased(_ productIdentifier: String) async throws -> Bool {
        try await perform { database in
            try Row.fetchOne(
                database, sql: "SELECT 1 FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier]
            ) != nil
        }
    }

    /// Records the purchase of a product in the database and returns the entry; an existing entry keeps its date.
    @discardableResult
    public func grant(_ productIdentifier: String, at date: Date = Date()) async throws -> Purchase {
        var changes = DatabaseChanges()
        changes.grant(Purchase(productIdentifier: productIdentifier, grantedAt: date))
        let grant = changes
        return try await perform { database in
            try grant.apply(to: database)
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier])
            return row.flatMap(Purchase.init) ?? Purchase(productIdentifier: productIdentifier, grantedAt: date)
        }
    }

    /// Removes the purchase of a product from the database; returns `false` if there was none.
    @discardableResult
    public func revoke(_ productIdentifier: String) async throws -> Bool {
        try await perform { database in
            try database.execute(
                sql: "DELETE FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier])
            return database.changesCount > 0
        }
    }
}
