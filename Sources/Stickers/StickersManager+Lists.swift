import StoreDatabase
import StoreLibrary
public import StoreModel

extension StickersManager {
    // MARK: Lists

    /// Returns the user's lists of stickers, as far as the stickers are installed.
    ///
    /// - Throws: a database or file error.
    public func lists() async throws -> StickerLists { try await currentLists().lists }

    /// Returns the stickers that were sent last, the newest first; at most as many as the settings allow.
    ///
    /// - Throws: a database or file error.
    public func recents() async throws -> [InstalledSticker] { try await list { $0.recents } }

    /// Returns the stickers that were sent most often, the most frequent first; a recent use counts more than an old one.
    ///
    /// - Throws: a database or file error.
    public func frequent() async throws -> [InstalledSticker] { try await list { $0.frequent } }

    /// Returns the user's favourite stickers that are installed, in the order in which they were added.
    ///
    /// - Throws: a database or file error.
    public func favourites() async throws -> [InstalledSticker] { try await list { $0.favourites } }

    // MARK: Changes

    /// Records that stickers were sent, one after another, so that they are the first of the recent ones.
    ///
    /// - Throws: `pack.not-installed`, `sticker.unknown`; a database error. Nothing is recorded then.
    public func recordUses(of names: [StickerName]) async throws {
        for name in names { try await require(name) }
        try await change { [database, date] in try await database.recordUses(of: names, at: date()) }
    }

    /// Forgets that a sticker was sent, so that it is neither a recent nor a frequent one.
    ///
    /// - Throws: `sticker.not-in-list` if no use is recorded; a database error.
    public func forgetUses(of name: StickerName) async throws {
        guard try await change({ [database] in try await database.forgetUses(of: name) }) else {
            throw StoreError(
                .stickerNeverSent, ["product": name.productIdentifier, "sticker": .untrusted(name.sticker)])
        }
    }

    /// Forgets which stickers were sent.
    ///
    /// - Throws: a database error.
    public func forgetAllUses() async throws {
        try await change { [database] in try await database.forgetUses(of: nil) }
    }

    /// Forgets that stickers of a product were sent, because its pack was removed.
    ///
    /// Favourites and the pack's place are kept: they count again when the pack is installed again.
    package func didRemove(_ productIdentifier: String) async throws {
        guard try await records().uses.contains(where: { $0.name.productIdentifier == productIdentifier }) else {
            return
        }
        try await change { [database] in try await database.forgetUses(ofProduct: productIdentifier) }
    }

    /// Adds a sticker to the favourites, after those that there are; a favourite keeps its place.
    ///
    /// - Throws: `pack.not-installed`, `sticker.unknown`, `sticker.too-many`; a database error.
    public func addFavourite(_ name: StickerName) async throws {
        try await require(name)
        guard try await change({ [database] in try await database.addFavourite(name) }) else {
            throw StoreError(.tooManyFavourites, ["limit": LibraryDatabase.maximumFavourites])
        }
    }

    /// Removes a sticker from the favourites, whether its pack is installed or not.
    ///
    /// - Throws: `sticker.not-in-list` if it is none; a database error.
    public func removeFavourite(_ name: StickerName) async throws {
        guard try await change({ [database] in try await database.removeFavourite(name) }) else {
            throw StoreError(
                .stickerNoFavourite, ["product": name.productIdentifier, "sticker": .untrusted(name.sticker)])
        }
    }

    /// Sets the user's order of the sticker packs.
    ///
    /// - Parameter products: the product identifiers of installed packs in order; the other packs follow in the order of
    ///   their directories. Without any, that is the order of all packs.
    /// - Throws: `pack.not-installed`; a database error.
    public func setOrder(_ products: [String]) async throws {
        for product in products { _ = try await installed(product) }
        var seen: Set<String> = []
        let order = products.filter { seen.insert($0).inserted }
        try await change { [database] in try await database.setPackOrder(order) }
    }

    /// Changes the user's order of the sticker packs; changes that are made at the same time are made one after another.
    ///
    /// - Parameter newOrder: returns the product identifiers in their new order. Its argument is the product identifiers of
    ///   all packs that can be read, in their present order. It is called in the database's transaction.
    /// - Throws: a database or file error.
    public func changeOrder(_ newOrder: @escaping @Sendable ([String]) -> [String]) async throws {
        let packs = try await readablePacks()
        try await change { [database] in
            try await database.changePackOrder { order in
                var seen: Set<String> = []
                let products = newOrder(Self.sorted(packs, by: order).map(\.productIdentifier))
                return products.filter { seen.insert($0).inserted }
            }
        }
    }

    // MARK: Records

    /// Returns what the database has recorded of the user's use of stickers; it is read once and after each change.
    func records() async throws -> StickerRecords {
        if let cachedRecords { return cachedRecords }
        let before = recordChanges
        let records = try await database.stickerRecords()
        if before == recordChanges { cachedRecords = records }
        return records
    }

    @discardableResult
    private func change<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        func forget() {
            recordChanges += 1
            cachedRecords = nil
        }
        let value: Value
        do {
            value = try await body()
        } catch {
            forget()
            throw error
        }
        forget()
        await listsDidChange()
        return value
    }

    private func require(_ name: StickerName) async throws { _ = try await sticker(name) }

    /// Returns an installed sticker's pack and its index in the pack.
    ///
    /// - Throws: `pack.not-installed`, `sticker.unknown`, `content.bad-information`.
    func sticker(_ name: StickerName) async throws -> (pack: KnownStickerPack, index: Int) {
        let pack = try await installed(name.productIdentifier)
        if let error = try await read([pack], isExact: false)[pack.folder] { throw error }
        guard let read = known[pack.folder], let index = read.index(of: name.sticker) else {
            throw StoreError(
                .noSuchSticker, ["product": name.productIdentifier, "sticker": .untrusted(name.sticker)])
        }
        return (read, index)
    }

    // MARK: Installed stickers

    /// The user's lists, with what is needed to show their stickers.
    private func currentLists() async throws -> (lists: StickerLists, packs: [String: LibraryPack]) {
        let records = try await records()
        var named = Set(records.uses.map(\.name.productIdentifier))
        named.formUnion(records.favourites.map(\.productIdentifier))
        if named.isEmpty, records.order.isEmpty { return (StickerLists(), [:]) }
        var packs: [String: LibraryPack] = [:]
        for pack in try await library.all() where pack.kind == .sticker {
            // An installed pack takes precedence over an unmanaged one of the same product.
            if packs[pack.productIdentifier] == nil || pack.origin != nil { packs[pack.productIdentifier] = pack }
        }
        try await read(named.compactMap { packs[$0] }, isExact: false)
        var identifiers: [String: Set<String>] = [:]
        for product in named {
            guard let pack = packs[product].flatMap({ known[$0.folder] }) else { continue }
            identifiers[product] = Set(pack.content.stickers.map(\.id))
        }
        func isInstalled(_ name: StickerName) -> Bool {
            identifiers[name.productIdentifier]?.contains(name.sticker) == true
        }
        let uses = records.uses.filter { isInstalled($0.name) }
        let limit = settings().maximumRecents
        // The sort is stable only by the offset: equally frequent stickers are in the order of their last use.
        let frequent = uses.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
        let lists = StickerLists(
            recents: uses.prefix(limit).map(\.name), frequent: frequent.prefix(limit).map(\.element.name),
            favourites: records.favourites.filter(isInstalled), order: records.order.filter { packs[$0] != nil })
        return (lists, packs)
    }

    private func list(_ list: (StickerLists) -> [StickerName]) async throws -> [InstalledSticker] {
        let (lists, packs) = try await currentLists()
        let names = list(lists)
        var shown: [String: KnownStickerPack] = [:]
        for product in Set(names.map(\.productIdentifier)) {
            // A pack that has become unreadable since has no stickers.
            if let pack = packs[product] { shown[product] = try? await self.shown(pack) }
        }
        let uses = StickerUses(try await records())
        return names.compactMap { name in
            guard let pack = shown[name.productIdentifier], let index = pack.index(of: name.sticker) else { return nil }
            return uses.installed(pack.sticker(at: index), of: pack)
        }
    }
}
