import StoreEngine
import StoreModel
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP route of the page with the history of operations.
    mutating func addHistoryPages(_ manager: StoreManager, _ pages: PageResponder) {
        page(HistoryPage.path, pages) { request in
            let product = request.query("product").flatMap { $0.isEmpty ? nil : $0 }
            let (operations, neighbours) = try await manager.history.part(
                of: product, before: request.query("before").map(OperationID.init(rawValue:)),
                after: request.query("after").map(OperationID.init(rawValue:)))
            let packs = try await manager.packs.listing().packs(languages: request.languages)
            return HistoryPage(
                operations, of: product, name: product.flatMap { packs.names[$0] }, neighbours: neighbours,
                request.texts)
        }
    }
}

extension OperationHistory {
    /// The number of operations on one page.
    private static let partSize = 50

    /// Returns the operations on one page of the history, the newest first, and what there is besides them.
    ///
    /// - Parameters:
    ///   - before: the last operation on the page with later ones.
    ///   - after: the first operation on the page with earlier ones. Where fewer operations follow than a page has, the
    ///     result is the page with the newest ones.
    fileprivate func part(
        of product: String?, before: OperationID?, after: OperationID?
    ) async throws -> ([OperationRecord], HistoryPage.Neighbours) {
        // One more than a page has, to find out whether there is another one.
        let limit = Self.partSize + 1
        if let after {
            let found = try await operations(of: product, limit: limit, after: after)
            if found.count == limit {
                return (Array(found.dropFirst()), HistoryPage.Neighbours(hasNewer: true, hasOlder: true))
            }
        }
        let found = try await operations(of: product, limit: limit, before: after == nil ? before : nil)
        let neighbours = HistoryPage.Neighbours(
            hasNewer: after == nil && before != nil, hasOlder: found.count == limit)
        return (Array(found.prefix(Self.partSize)), neighbours)
    }
}
