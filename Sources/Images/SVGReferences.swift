import StoreModel

/// A counter of the elements of an SVG after all references between elements are expanded.
///
/// A few hundred bytes can expand to billions of elements.
struct SVGReferences {
    /// The maximum number of elements of an SVG after expansion; drawing libraries have similar limits.
    private static let most = 1_000_000
    /// The maximum number of SVG references in a chain in which each leads to the next.
    private static let deepest = 40

    /// The end of each SVG element: the index of the first element after the element and its descendants.
    private var ends: [Int] = []
    private var open: [Int] = []
    private var byID: [String: Int] = [:]
    /// The references between elements of the SVG, in the order of their source elements.
    private var references: [(from: Int, to: String)] = []

    mutating func start(id: String?) {
        // Of two elements with the same identifier the first is used.
        if let id, byID[id] == nil { byID[id] = ends.count }
        open.append(ends.count)
        ends.append(0)
    }

    mutating func end() { ends[open.removeLast()] = ends.count }

    /// Adds a reference from the SVG element that was added last to the element with an identifier.
    mutating func refer(to id: String) { references.append((ends.count - 1, id)) }

    /// Checks the number of elements of the SVG after expansion against the limit.
    ///
    /// - Throws: `content.svg-active` if there are too many, or references are nested too deeply.
    func check() throws(StoreError) {
        if references.isEmpty { return }
        var expansions: [Int: Expansion?] = [:]
        var visits = 0
        _ = try expansion(of: 0, depth: 0, &visits, &expansions)
    }

    /// The size of an SVG element after the references in it are expanded.
    private struct Expansion {
        /// The number of elements that the SVG element expands to.
        var count: Int
        /// The number of references in the longest chain that begins in the SVG element.
        var depth = 0
    }

    /// Returns the size of an SVG element after the references in it are expanded.
    ///
    /// - Parameters:
    ///   - depth: the number of references that led to the element.
    ///   - visits: the number of references that were followed.
    ///   - expansions: the known results; `nil` for an element whose result is being computed.
    private func expansion(
        of element: Int, depth: Int, _ visits: inout Int, _ expansions: inout [Int: Expansion?]
    ) throws(StoreError) -> Expansion {
        if let known = expansions[element] {
            guard let known else { throw StoreError(.svgSelfReference) }
            // The result does not depend on the order of the elements in the document.
            try requireDepth(depth + known.depth)
            return known
        }
        try requireDepth(depth)
        expansions[element] = .some(nil)
        var expansion = Expansion(count: ends[element] - element)
        for (from, to) in references[firstReference(from: element)...] {
            if from >= ends[element] { break }
            // References to missing elements have no effect, but each takes time, again in each element around it.
            visits += 1
            guard expansion.count <= SVGReferences.most, visits <= SVGReferences.most else {
                throw StoreError(.svgReferencesExceeded, ["limit": SVGReferences.most])
            }
            guard let target = byID[to], target != 0 else { continue }
            let targets = try self.expansion(of: target, depth: depth + 1, &visits, &expansions)
            expansion.count += targets.count
            expansion.depth = max(expansion.depth, targets.depth + 1)
        }
        guard expansion.count <= SVGReferences.most else {
            throw StoreError(.svgReferencesExceeded, ["limit": SVGReferences.most])
        }
        expansions[element] = expansion
        return expansion
    }

    private func requireDepth(_ depth: Int) throws(StoreError) {
        guard depth <= SVGReferences.deepest else {
            throw StoreError(.svgReferencesTooDeep, ["limit": SVGReferences.deepest])
        }
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
