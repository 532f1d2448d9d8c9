import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem

/// The source of the words that a shell offers for an argument, such as the identifiers of installed packs.
///
/// The words come from the daemon of the home that the command line names. A missing answer is no error: a shell that
/// completes a word shows no messages.
struct CompletionCandidates: Sendable {
    /// The command line so far, the program's name first.
    let words: [String]
    /// The beginning of the word to complete.
    let prefix: String
    let client: StoreClient

    /// Creates the source of words for a command line; `nil` if its home does not exist, so that none is created.
    private init?(_ words: [String], _ prefix: String) {
        guard let home = try? HomePaths.current(home: Self.home(in: words)), (try? Directory.open(home.data)) != nil
        else {
            return nil
        }
        (self.words, self.prefix) = (words, prefix)
        client = StoreClient(home: home)
    }

    /// Returns the value of the option `--home` in a command line; `nil` if it has none.
    ///
    /// bash splits words at `=`.
    private static func home(in words: [String]) -> String? {
        guard let index = words.firstIndex(where: { $0 == "--home" || $0.hasPrefix("--home=") }) else { return nil }
        if words[index] != "--home" { return String(words[index].dropFirst("--home=".count)) }
        let rest = words[(index + 1)...].drop { $0 == "=" }
        return rest.first
    }

    /// Returns the completion of an argument by words of the daemon.
    ///
    /// - Parameter candidates: returns the words; an error is the same as no words.
    private static func completion(
        _ candidates: @escaping @Sendable (CompletionCandidates) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, prefix in
            guard let source = CompletionCandidates(words, prefix) else { return [] }
            let found = (try? await candidates(source)) ?? []
            return distinct(found).filter { $0.hasPrefix(prefix) && isSafe($0) }
        }
    }
}

extension CompletionCandidates {
    /// Returns whether a shell takes a word literally; the words of others are not offered.
    ///
    /// Identifiers come from stores, and bash expands the words that its completion script passes to `compgen -W`: it
    /// would run the command in an identifier such as `$(command)`.
    private static func isSafe(_ word: String) -> Bool {
        word.allSatisfy { $0.isLetter || $0.isNumber || "._-+@%,/".contains($0) }
    }

    /// The completion of an argument by the identifiers of installed packs.
    static let packs = completion { try await $0.client.packs().map(\.productIdentifier) }

    /// The completion of an argument by the products that stores offer, and for `STORE/` by those of that store.
    static let products = completion { try await $0.offeredProducts() }

    /// The completion of an argument by the products that stores offer, and by archives in directories.
    static let productsAndArchives = completion { source in
        source.archives() + ((try? await source.offeredProducts()) ?? [])
    }

    /// The completion of an argument by products that have to be purchased.
    static let pricedProducts = completion { source in
        try await source.client.products(limit: 1000, isCacheOnly: true).products.filter { !$0.price.isFree }
            .map(\.productIdentifier)
    }

    /// The completion of an argument by the purchased products.
    static let purchases = completion { try await $0.client.purchases().map(\.productIdentifier) }

    /// The completion of an argument by the products that are being downloaded, and that the command can change.
    static let downloads = completion { source in
        try await source.client.downloads().filter { download in
            switch source.words.dropFirst().first {
            case "pause": !download.state.isEnd && download.activity != .paused
            case "resume": !download.state.isEnd && download.activity == .paused
            default: !download.state.isEnd
            }
        }.map(\.productIdentifier)
    }

    /// The completion of an argument by the products of recorded operations, the latest first.
    static let operations = completion { try await $0.client.history(limit: 1000).map(\.productIdentifier) }

    /// The completion of an argument by the categories of products that stores offer.
    static let categories = completion { try await $0.client.categories(isCacheOnly: true).categories.map(\.name) }

    /// The completion of an argument by the names of stores.
    static let stores = completion { try await $0.client.stores().map(\.name) }

    /// The completion of an argument by the names of settings.
    static let settings = completion { try await $0.client.settings().map(\.key) }

    /// The completion of an argument by the identifiers of installed emoji sets.
    static let emojiSets = completion { try await $0.client.packs(kind: .emoji).map(\.productIdentifier) }

    /// The completion of an argument by the identifiers of skins.
    static let skins = completion { try await $0.client.skins().skins.map(\.identifier) }

    /// The completion of an argument by the kinds of content that this release knows.
    static let kinds = CompletionKind.list(kindWords)
    /// The words for the kinds of content that this release knows.
    static let kindWords = ProductKind.known.map(\.rawValue)

    /// Returns the identifiers of products in the cached catalogues, at most 1000.
    private func offeredProducts() async throws -> [String] {
        var (searched, store) = (prefix, String?.none)
        if let slash = prefix.firstIndex(of: "/") {
            store = String(prefix[..<slash])
            searched = String(prefix[prefix.index(after: slash)...])
        }
        // The search finds the text anywhere, and does not search for an empty one.
        let filter = ProductFilter(words: searched.isEmpty ? [] : [searched])
        let found = try await client.products(filter, limit: 1000, isCacheOnly: true).products
        guard let store else { return found.map(\.productIdentifier) }
        return found.filter { $0.store == store }.map { "\(store)/\($0.productIdentifier)" }
            // An identifier may itself contain a slash.
            + found.map(\.productIdentifier)
    }

    /// Returns the ZIP files and directories whose paths may continue the word.
    private func archives() -> [String] {
        let slash = prefix.lastIndex(of: "/")
        let parent = slash.map { String(prefix[...$0]) } ?? ""
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
        return entries.sorted().compactMap { name in
            let path = parent + name
            if name.lowercased().hasSuffix(".zip"), FilePaths.isRegularFile(path) { return path }
            // A directory without a slash in the word so far is more likely a mistake than the way to a file.
            return slash != nil && (try? Directory.open(path)) != nil ? path + "/" : nil
        }
    }
}
