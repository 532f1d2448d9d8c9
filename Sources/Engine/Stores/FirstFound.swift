/// The first of many elements in ascending order, up to a limit.
///
/// Most searches find many more products than a page shows, and sorting all of them would take most of the time.
struct FirstFound<Element: Comparable> {
    private let limit: Int
    /// The first elements and others, until there are enough of them that discarding the others is worth the sort.
    private var elements: [Element] = []
    /// The last of the first elements when others were left out; what follows it is not kept.
    private var last: Element?
    /// The number of all elements that were added.
    private(set) var count = 0

    /// Creates an empty selection of at most `limit` elements.
    init(limit: Int) { self.limit = limit }

    mutating func add(_ element: Element) {
        count += 1
        if let last, last < element { return }
        elements.append(element)
        guard elements.count / 4 >= limit else { return }
        elements = Array(sorted())
        last = elements.last
    }

    /// Returns the first elements in their order.
    func sorted() -> ArraySlice<Element> { elements.sorted().prefix(limit) }
}
