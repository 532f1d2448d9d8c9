import StoreModel

/// How many elements a drawing comes to, once each that refers to another is shown with what it refers to. A few
/// hundred bytes can come to billions.
struct SVGReferences {
    /// What the drawing may come to; a drawing library has a bound of the same kind.
    private static let most = 1_000_000
    /// References that lead on to references.
    private static let deepest = 40

    /// Where each element ends: the number of the first element after it and all that it holds.
    private var ends: [Int] = []
    private var open: [Int] = []
    private var byID: [String: Int] = [:]
    /// In the order of the elements that they are from.
    private var references: [(from: Int, to: String)] = []

    mutating func start(id: String?) {
        // Of two with one name the first counts.
        if let id, byID[id] == nil { byID[id] = ends.count }
        open.append(ends.count)
        ends.append(0)
    }

    mutating func end() { ends[open.removeLast()] = ends.count }

    /// From the element that began last.
    mutating func refer(to id: String) { references.append((ends.count - 1, id)) }

    /// - Throws: `content.svg-active`.
    func check() throws(StoreError) {
        if references.isEmpty { return }
        var costs: [Int: Int] = [:]
        _ = try cost(of: 0, deep: 0, &costs)
    }

    /// - Parameter costs: those that are known; an element whose cost is being counted has none less than 0.
    private func cost(of element: Int, deep: Int, _ costs: inout [Int: Int]) throws(StoreError) -> Int {
        if let known = costs[element] {
            guard known >= 0 else { throw StoreError(.svgSelfReference) }
            return known
        }
        guard deep <= SVGReferences.deepest else {
            throw StoreError(.svgReferencesTooDeep, ["limit": SVGReferences.deepest])
        }
        costs[element] = -1
        var cost = ends[element] - element
        for (from, to) in references[firstReference(from: element)...] {
            if from >= ends[element] { break }
            // Nothing is shown of one that is not there.
            guard let target = byID[to], target != 0 else { continue }
            cost += try self.cost(of: target, deep: deep + 1, &costs)
            guard cost <= SVGReferences.most else {
                throw StoreError(.svgReferencesExceeded, ["limit": SVGReferences.most])
            }
        }
        costs[element] = cost
        return cost
    }

    private func firstReference(from element: Int) -> Int {
        var (low, high) = (0, references.count)
        while low < high {
            let middle = (low + high) / 2
            if references[middle].from < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
