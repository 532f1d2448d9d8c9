import Hummingbird
import StoreEngine
import StoreModel
import StoreStickers
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the page with the user's stickers, and of its part that the script requests alone.
    mutating func addStickerPages(_ manager: StoreManager, _ pages: PageResponder) {
        page("/stickers", pages) { request in
            try await StickersPage(words: request.query("q") ?? "", manager.stickerResults(request), request.texts)
        }
        page("/stickers/results", pages) { request in try await manager.stickerResults(request) }
    }

    /// Adds the HTTP routes of the forms on the page of the stickers.
    mutating func addStickerActions(_ manager: StoreManager, _ pages: PageResponder) {
        action("/actions/stickers/favourites", pages) { _, form in
            if let value = form["add"] { try await manager.stickers.addFavourite(StickerName(field: "add", value)) }
            if let value = form["remove"] {
                do {
                    try await manager.stickers.removeFavourite(StickerName(field: "remove", value))
                } catch let error as StoreError where error.code == .stickerNotInList {
                    // The page was older than a change elsewhere; the sticker is as the user wants it.
                }
            }
        }
        action("/actions/stickers/forget", pages) { _, _ in try await manager.stickers.forgetAllUses() }
        action("/actions/stickers/order", pages) { _, form in
            let pack = form["pack"] ?? ""
            let move: StickerPackMove
            switch form["move"] {
            case "up": move = .up
            case "down": move = .down
            case let other:
                guard other == nil, let next = form["before"] else {
                    throw StoreError(
                        .requestParameterInvalid,
                        ["parameter": "move", "reason": .untrusted("must be up or down, not '\(other ?? "")'")])
                }
                move = next.isEmpty ? .toEnd : .before(next)
            }
            // A pack that is not installed has no position; the error says so.
            _ = try await manager.stickers.pack(pack)
            try await manager.stickers.changeOrder { move.applied(to: pack, in: $0) }
        }
    }
}

/// A move of a sticker pack in the user's order.
enum StickerPackMove: Sendable, Equatable {
    case up
    case down
    case before(String)
    case toEnd

    /// Returns an order with one of its packs at another position; the same order if the pack can't be moved there.
    ///
    /// - Parameter order: the identifiers of the packs' products; of equal ones, the first counts.
    func applied(to pack: String, in order: [String]) -> [String] {
        var seen: Set<String> = []
        var order = order.filter { seen.insert($0).inserted }
        guard let position = order.firstIndex(of: pack) else { return order }
        switch self {
        case .up:
            if position > 0 { order.swapAt(position, position - 1) }
        case .down:
            if position < order.count - 1 { order.swapAt(position, position + 1) }
        case .before(let next):
            guard next != pack, order.contains(next) else { return order }
            order.remove(at: position)
            order.insert(pack, at: order.firstIndex(of: next) ?? order.endIndex)
        case .toEnd:
            order.append(order.remove(at: position))
        }
        return order
    }
}

extension StickerName {
    /// Reads a name from a field of a form.
    ///
    /// - Throws: `request.malformed`.
    fileprivate init(field: String, _ value: String) throws {
        guard let name = StickerName(formValue: value) else {
            throw StoreError(
                .requestParameterInvalid,
                ["parameter": field, "reason": .untrusted("must name a sticker, not '\(value)'")])
        }
        self = name
    }
}

extension StoreManager {
    /// Returns the lists of stickers that a request asks for: those of a search, of a pack, or all.
    fileprivate func stickerResults(_ request: APIRequest) async throws -> StickerResults {
        let languages = request.languages
        let words = request.query("q") ?? ""
        if !words.allSatisfy(\.isWhitespace) {
            let found = try await stickers.search(StickerQuery(words, limit: StickerResults.searchLimit))
            return StickerResults(found: found.stickers, total: found.total, languages: languages, request.texts)
        }
        let favourites = try await stickers.favourites()
        if let product = request.query("pack") {
            return StickerResults(
                try await stickers.pack(product), favourites: Set(favourites.map(\.name)), languages: languages,
                request.texts)
        }
        var packs = try await stickers.packs()
        for (index, shown) in StickerResults.shown(of: packs).enumerated() where shown == packs[index].count {
            // With the properties of its images, by which the page knows the animated ones. Packs that are shown in part are
            // not read for that.
            guard let known = try? await stickers.pack(packs[index].productIdentifier),
                known.path == packs[index].path
            else { continue }
            packs[index] = known
        }
        return StickerResults(
            packs, recents: try await stickers.recents(), favourites: favourites, languages: languages,
            request.texts)
    }
}
