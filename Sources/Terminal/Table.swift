/// A table of text with aligned columns, for output on a terminal.
package struct Table {
    package struct Column {
        var title: String
        /// Whether the cells of the table's column are aligned to the right, as numbers are.
        var right = false
        /// Whether the cells of the table's column may be truncated if a line is too long.
        var flexible = false

        package init(title: String, right: Bool = false, flexible: Bool = false) {
            self.title = title
            self.right = right
            self.flexible = flexible
        }
    }

    private static let gap = "  "
    /// The minimum width, in terminal columns, to which a table's flexible column is truncated.
    private static let minimumWidth = 8
    /// The width to which cells are padded at most, in terminal columns, unless the terminal is wider.
    ///
    /// One long cell would otherwise be repeated as spaces in every row.
    private static let maximumWidth = 200

    /// The text of a table's cell and its width in terminal columns, which is computed once.
    private struct Cell {
        let text: String
        let columns: Int

        init(_ text: String) {
            self.text = text
            columns = text.columns
        }
    }

    package var columns: [Column]
    private var cells: [[Cell]] = []

    package var rows: [[String]] { cells.map { $0.map(\.text) } }

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row to the table, with one cell for each column.
    package mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count)
        self.cells.append(cells.map { Cell($0.displayable) })
    }

    /// Returns the table as lines of text, the columns' titles first.
    ///
    /// - Parameter width: the terminal's width in columns; `nil` truncates nothing, and the cells after a very long one
    ///   are then not aligned.
    package func lines(width: Int?) -> [String] {
        let titles = columns.map { Cell($0.title) }
        var widths = titles.map(\.columns)
        for row in cells { for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.columns) } }
        let limit = max(Self.maximumWidth, width ?? 0)
        widths = widths.map { min($0, limit) }
        if let width { shrink(&widths, to: width) }
        return ([titles] + cells).map { line($0, widths: widths, isTruncated: width != nil) }
    }

    private func line(_ cells: [Cell], widths: [Int], isTruncated: Bool) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { line += Self.gap }
            let missing = widths[index] - cell.columns
            if columns[index].right, missing > 0 { line += String(repeating: " ", count: missing) }
            line += missing < 0 && isTruncated ? cell.text.cut(to: widths[index]) : cell.text
            let isLast = index == cells.count - 1
            if !columns[index].right, !isLast, missing > 0 { line += String(repeating: " ", count: missing) }
        }
        return line
    }

    /// Narrows the table's flexible columns, the widest first, until a line fits into `width` columns.
    private func shrink(_ widths: inout [Int], to width: Int) {
        let gaps = Self.gap.count * (columns.count - 1)
        var excess = widths.reduce(gaps, +) - width
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].flexible && widths[$0] > Self.minimumWidth }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }
}
