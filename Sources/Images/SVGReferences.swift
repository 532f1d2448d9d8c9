import StoreModel

/// Counts the elements of an SVG after all references between elements are expanded.
///
/// A few hundred bytes can expand to billions of elements.
struct SVGReferences {
    /// The maximum number of elements after expansion; drawing libraries have similar limits.
    private static let most = 1_000_000
    /// The maximum depth of references that lead to further references.
    private static let deepest = 40

    /// The end of each element: the index of the first element after the element and its descendants.
    private var ends: [Int] = []
    private var open: [Int] = []
    private var byID: [String: Int] = [:]
    /// The references, in the order of their source elements.
    private var references: [(from: Int, to: String)] = []

    mutating func start(id: String?) {
        // Of two elements with the same identifier the first is used.
        if let id, byID[id] == nil { byID[id] = ends.count }
        open.append(ends.count)
        ends.append(0)
    }

    mutating func end() { ends[open.removeLast()] = ends.count }

    /// Adds a reference from the element that was added last.
    mutating func refer(to id: String) { references.append((ends.count - 1, id)) }

    /// Checks the number of elements after expansion against the limit.
    ///
    /// - Throws: `content.svg-active` if there are too many, or references are nested too deeply.
    func check() throws(StoreError) {
        if references.isEmpty { return }
        var costs: [Int: Int] = [:]
        _ = try cost(of: 0, deep: 0, &costs)
    }

    /// Returns the number of elements that an element expands to.
    ///
    /// - Parameter costs: the known results; -1 for an element whose number is being computed.
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
            // References to missing elements have no effect.
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
