public import FoundationEssentials
import GRDB
public import StoreModel

extension LibraryDatabase {
    /// The maximum number of stickers whose uses are recorded; those that were not sent for longest are forgotten.
    static let maximumStickerUses = 2_000
    /// The maximum number of favourite stickers.
    public static let maximumFavourites = 1_000

    /// Returns the recorded uses of stickers, the favourites, and the user's order of packs.
    public func stickerRecords() async throws -> StickerRecords {
        try await perform { database in
            var records = StickerRecords()
            records.uses = try Row.fetchAll(database, sql: "SELECT * FROM stickerUses ORDER BY number DESC")
                .compactMap(StickerUse.init)
            records.favourites = try Row.fetchAll(database, sql: "SELECT * FROM stickerFavourites ORDER BY number")
                .compactMap { StickerName($0) }
            records.order = try Self.packOrder(in: database)
            return records
        }
    }

    private static func packOrder(in database: GRDB.Database) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT * FROM stickerPackOrder ORDER BY number")
            .compactMap { UntrustedRow(row: $0).text("productIdentifier") }
    }

    /// Records in the database that stickers were sent, one after another.
    public func recordUses(of names: [StickerName], at date: Date) async throws {
        try await perform { database in
            for name in names {
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM stickerUses WHERE productIdentifier = ? AND sticker = ?",
                    arguments: [name.productIdentifier, name.sticker])
                var use = StickerUse(of: name, at: date)
                if var known = row.flatMap(StickerUse.init) {
                    known.add(useAt: date)
                    use = known
                }
                let last = try Int64.fetchOne(database, sql: "SELECT max(number) FROM stickerUses") ?? 0
                try DatabaseChanges.put(use, order: last + 1, in: database)
            }
            try database.execute(
                sql: """
                    DELETE FROM stickerUses WHERE number <= (
                        SELECT number FROM stickerUses ORDER BY number DESC LIMIT 1 OFFSET ?)
                    """, arguments: [Self.maximumStickerUses])
        }
    }

    /// Removes the recorded uses of one sticker, or of all stickers, from the database.
    ///
    /// - Returns: whether there was a record.
    @discardableResult
    public func forgetUses(of name: StickerName?) async throws -> Bool {
        try await perform { database in
            if let name {
                try database.execute(
                    sql: "DELETE FROM stickerUses WHERE productIdentifier = ? AND sticker = ?",
                    arguments: [name.productIdentifier, name.sticker])
            } else {
                try database.execute(sql: "DELETE FROM stickerUses")
            }
            return database.changesCount > 0
        }
    }

    /// Removes the recorded uses of all stickers of one product from the database.
    public func forgetUses(ofProduct productIdentifier: String) async throws {
        try await perform { database in
            try database.execute(
                sql: "DELETE FROM stickerUses WHERE productIdentifier = ?", arguments: [productIdentifier])
        }
    }

    /// Adds a sticker to the favourites in the database; one that is there keeps its place.
    ///
    /// - Returns: `false` if there are as many favourites as are allowed; see ``maximumFavourites``.
    public func addFavourite(_ name: StickerName) async throws -> Bool {
        try await perform { database in
            let isThere =
                try Row.fetchOne(
                    database, sql: "SELECT 1 FROM stickerFavourites WHERE productIdentifier = ? AND sticker = ?",
                    arguments: [name.productIdentifier, name.sticker]) != nil
            if isThere { return true }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM stickerFavourites") ?? 0
            guard count < Self.maximumFavourites else { return false }
            try DatabaseChanges.put(favourite: name, in: database)
            return true
        }
    }

    /// Removes a sticker from the favourites in the database; returns `false` if it was none.
    @discardableResult
    public func removeFavourite(_ name: StickerName) async throws -> Bool {
        try await perform { database in
            try database.execute(
                sql: "DELETE FROM stickerFavourites WHERE productIdentifier = ? AND sticker = ?",
                arguments: [name.productIdentifier, name.sticker])
            return database.changesCount > 0
        }
    }

    /// Replaces the user's order of sticker packs in the database.
    ///
    /// - Parameter products: the product identifiers in order, each once.
    public func setPackOrder(_ products: [String]) async throws { try await changePackOrder { _ in products } }

    /// Changes the user's order of sticker packs in the database, in one transaction.
    ///
    /// - Parameter change: returns the new order for the present one: the product identifiers in order, each once.
    public func changePackOrder(_ change: @escaping @Sendable ([String]) -> [String]) async throws {
        try await perform { database in
            let products = change(try Self.packOrder(in: database))
            try database.execute(sql: "DELETE FROM stickerPackOrder")
            for product in products { try DatabaseChanges.put(inPackOrder: product, in: database) }
        }
    }

    // MARK: Images

    /// Returns the cached properties of the images of all sticker packs, by the directory of the pack.
    ///
    /// Each is an encoded value, with the operation that installed the version of the pack that it is about.
    public func stickerImages() async throws -> [String: (operation: OperationID, images: Data)] {
        try await perform { database in
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM stickerImages").compactMap { row in
                let columns = UntrustedRow(row: row)
                guard let directory = columns.text("directory"), let operation = columns.text("operation"),
                    let images = columns.blob("images")
                else { return nil as (String, (operation: OperationID, images: Data))? }
                return (directory, (operation: OperationID(rawValue: operation), images: images))
            }
            return Dictionary(rows) { first, _ in first }
        }
    }

    /// Replaces the cached properties of the images of a sticker pack in the database.
    ///
    /// - Parameter installed: the directories of all installed packs; rows of others are removed.
    public func keep(
        stickerImages images: Data, of directory: String, by operation: OperationID, installed: Set<String>
    ) async throws {
        try await perform { database in
            let known = try String.fetchAll(database, sql: "SELECT directory FROM stickerImages")
            for old in known where !installed.contains(old) {
                try database.execute(sql: "DELETE FROM stickerImages WHERE directory = ?", arguments: [old])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO stickerImages (directory, operation, images) VALUES (?, ?, ?)",
                arguments: [directory, operation.rawValue, images])
        }
    }
}

extension DatabaseChanges {
    static func put(_ use: StickerUse, order: Int64, in database: GRDB.Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO stickerUses (productIdentifier, sticker, number, sentAt, count, rank)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: use.arguments(order: order))
    }

    static func put(favourite name: StickerName, in database: GRDB.Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO stickerFavourites (productIdentifier, sticker) VALUES (?, ?)"
        ).execute(arguments: [name.productIdentifier, name.sticker])
    }

    static func put(inPackOrder productIdentifier: String, in database: GRDB.Database) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO stickerPackOrder (productIdentifier) VALUES (?)")
            .execute(arguments: [productIdentifier])
    }
}
