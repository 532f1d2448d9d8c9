import StoreModel

extension APIRequest {
    /// The maximum number of elements of the list's page that the HTTP request asks for; `nil` for no limit.
    var limit: Int? { query("limit").flatMap { Int($0) } }

    /// Returns the position in a list after which the requested page begins; `nil` for the beginning of the list.
    ///
    /// - Parameter position: converts the token to a position in the list; returns `nil` for the token of another list.
    /// - Throws: `request.malformed` if the value of `after` is not a token of this list.
    func pageStart<Position>(_ position: (PageToken) -> Position?) throws -> Position? {
        try query("after", expected: "the 'next' of a previous page") { PageToken($0).flatMap(position) }
    }

    /// Returns the page of a list that the HTTP request asks for, and the token of the next page.
    ///
    /// A page is in the order of the elements' keys. The whole list is returned in its own order if the request asks for
    /// no page.
    ///
    /// - Throws: `request.malformed` if the value of `after` is not a token.
    func page<Element>(
        of elements: [Element], by key: (Element) -> [String]
    ) throws -> (elements: [Element], next: String?) {
        let start = try pageStart(\.position)
        guard limit != nil || start != nil else { return (elements, nil) }
        var remaining = elements.map { (key: key($0), element: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        if let start { remaining = remaining.filter { start.lexicographicallyPrecedes($0.key) } }
        let page = remaining.prefix(limit ?? .max)
        return (page.map(\.element), page.count < remaining.count ? page.last.map { PageToken($0.key).text } : nil)
    }
}
