import StoreClient
import StoreModel
import StoreTerminal

/// A namespace for finding the identifier that a mistyped one means, among packs, products, downloads, skins and settings.
enum SimilarIdentifiers {
    /// The number of pages of 1000 products in which a similar identifier is searched.
    private static let maximumPages = 10
    /// The number of identifiers on a command line up to which a similar one is searched for each that is unknown.
    ///
    /// Each search requests a list of everything. A list of many identifiers was not typed.
    static let maximumCount = 50

    /// Returns an error about an unknown pack, product, download, skin or setting with a hint that names the one which may
    /// be meant.
    ///
    /// Other errors are returned unchanged. No store is contacted.
    ///
    /// - Parameters:
    ///   - identifier: the identifier as it was typed.
    ///   - count: the number of identifiers that may be unknown; if they are many, the error is returned unchanged.
    static func clarify(
        _ identifier: String, _ error: ErrorReport, oneOf count: Int = 1, _ client: StoreClient
    ) async -> ErrorReport {
        guard count <= maximumCount else { return error }
        let known: [String]
        switch error.code {
        case .packMissing: known = (try? await client.packs().map(\.productIdentifier)) ?? []
        case .productUnknown: known = await offered(client)
        case .downloadMissing:
            known = (try? await client.downloads().filter { !$0.state.isEnd }.map(\.productIdentifier)) ?? []
        case .emojiSetMissing: known = (try? await client.packs(kind: .emoji).map(\.productIdentifier)) ?? []
        case .skinMissing: known = (try? await client.skins().skins.map(\.identifier)) ?? []
        case .settingsUnknownKey: known = (try? await client.settings().map(\.key)) ?? []
        default: return error
        }
        // If there is one, the error is about a product that it needs.
        guard !known.contains(identifier), let similar = Suggestion.bestIdentifier(for: identifier, among: known)
        else { return error }
        return ErrorReport(code: error.code, message: error.message, hint: Suggestion.hint(naming: similar))
    }

    /// Returns the result of `body`; an error about the unknown `identifier` is thrown with a hint as by ``clarify(_:_:oneOf:_:)``.
    static func clarifying<Value>(
        _ identifier: String?, _ client: StoreClient, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as ErrorReport {
            guard let identifier else { throw error }
            throw await clarify(identifier, error, client)
        }
    }

    /// Makes the errors of a plan clearer: those about unknown packs name the identifiers which may be meant.
    static func clarify(failuresOf plan: inout ChangePlan, _ client: StoreClient) async {
        for (index, failure) in plan.failures.enumerated() {
            plan.failures[index].error = await clarify(
                failure.productIdentifier, failure.error, oneOf: plan.failures.count, client)
        }
    }

    /// Returns an error about an unknown store with a hint that names the store which may be meant.
    ///
    /// - Parameter name: the store's name as it was typed.
    static func clarify(store name: String, _ error: ErrorReport, _ client: StoreClient) async -> ErrorReport {
        let known = (try? await client.stores().map(\.name)) ?? []
        guard !known.contains(name), let similar = Suggestion.best(for: name, among: known) else { return error }
        return ErrorReport(code: error.code, message: error.message, hint: Suggestion.hint(naming: similar))
    }

    /// Returns the identifier of an offered product that is most similar to a typed one; `nil` if none is similar.
    ///
    /// - Parameter store: the name of the only store to search; `nil` searches all.
    static func offered(_ client: StoreClient, like typed: String, in store: String? = nil) async -> String? {
        Suggestion.bestIdentifier(for: typed, among: await offered(client, in: store))
    }

    /// Returns the identifiers of up to ten thousand products that stores offer; none if the daemon does not respond.
    ///
    /// - Parameter store: the name of the only store; `nil` is all.
    static func offered(_ client: StoreClient, in store: String? = nil) async -> [String] {
        var found: [String] = []
        var next: String?
        for _ in 0..<maximumPages {
            guard
                let page = try? await client.products(
                    ProductFilter(store: store), limit: 1000, after: next, isCacheOnly: true)
            else { break }
            found += page.products.map(\.productIdentifier)
            next = page.next
            if next == nil { break }
        }
        return found
    }
}
