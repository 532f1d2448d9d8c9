import FoundationEssentials
import StoreModel

/// Where a piece of a list ended: the place of its last element in the list's order. The next piece begins behind that place,
/// whatever was added or removed meanwhile, so that nothing comes twice and nothing is left out. Clients take it as it is.
struct PageToken: Equatable {
    let place: [String]

    init(_ place: [String]) { self.place = place }

    /// - Returns: `nil` where the text is no cursor.
    init?(_ text: String) {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let place = try? JSON.decode([String].self, from: data) else {
            return nil
        }
        self.init(place)
    }

    /// As it goes over the wire: letters, digits, `-` and `_`.
    var text: String {
        let base64 = ((try? JSON.encode(place)) ?? Data()).base64EncodedString()
        return String(base64.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}

extension APIRequest {
    /// How many elements of a list are wanted; `nil` for all.
    var limit: Int? { query("limit").flatMap { Int($0) } }

    /// Behind which place a list is wanted; `nil` for its beginning.
    ///
    /// - Parameter place: makes of a cursor what the list's order knows; `nil` where it is another list's.
    /// - Throws: `request.malformed` where no answer of this list gave it.
    func after<Place>(_ place: (PageToken) -> Place?) throws -> Place? {
        try query("after", expected: "what an answer gave as 'next'") { PageToken($0).flatMap(place) }
    }

    /// The piece of a list that is wanted, in the order of the elements' keys, and how it goes on. Who wants no piece gets
    /// all of it as it is.
    func piece<Element>(
        of elements: [Element], by key: (Element) -> [String]
    ) throws -> (elements: [Element], next: String?) {
        let after = try after(\.place)
        guard limit != nil || after != nil else { return (elements, nil) }
        var rest = elements.map { (key: key($0), element: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        if let after { rest = rest.filter { after.lexicographicallyPrecedes($0.key) } }
        let piece = rest.prefix(limit ?? .max)
        return (piece.map(\.element), piece.count < rest.count ? piece.last.map { PageToken($0.key).text } : nil)
    }
}
