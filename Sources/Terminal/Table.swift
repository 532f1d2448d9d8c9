/// Rows with aligned columns, as wide as what they hold, cut where the terminal is narrower.
package struct Table {
    package struct Column {
        var title: String
        /// Numbers stand on the right.
        var right = false
        /// May be cut when the line is too long.
        var flexible = false

        package init(title: String, right: Bool = false, flexible: Bool = false) {
            self.title = title
            self.right = right
            self.flexible = flexible
        }
    }

    private static let gap = "  "
    /// A column is not cut below this many terminal columns.
    private static let narrowest = 8

    package var columns: [Column]
    package private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; a cell for each column.
    package mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count)
        rows.append(cells.map(visible))
    }

    /// The lines, the titles first.
    ///
    /// - Parameter width: of the terminal in columns; without one nothing is cut.
    package func lines(width: Int?) -> [String] {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.columns) { max($0, $1[index].columns) }
        }
        if let width { shrink(&widths, to: width) }
        return ([columns.map(\.title)] + rows).map { line($0, widths: widths) }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { line += Self.gap }
            let used = cell.columns
            let isLast = index == cells.count - 1
            guard used < widths[index], !isLast || columns[index].right else {
                line += used > widths[index] ? cell.cut(to: widths[index]) : cell
                continue
            }
            let spaces = String(repeating: " ", count: widths[index] - used)
            line += columns[index].right ? spaces + cell : cell + spaces
        }
        return line
    }

    /// Takes from the widest of the flexible columns first.
    private func shrink(_ widths: inout [Int], to width: Int) {
        let gaps = Self.gap.count * (columns.count - 1)
        var excess = widths.reduce(gaps, +) - width
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].flexible && widths[$0] > Self.narrowest }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }
}
