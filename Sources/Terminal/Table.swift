/// A table of text with aligned columns, for output on a terminal.
package struct Table {
    package struct Column {
        var title: String
        /// Whether the cells of the table's column are aligned to the right, as numbers are.
        var right = false
        /// Whether the cells of the table's column may be truncated if a line is too long.
        var flexible = false
        /// The order in which columns are left out of a table that is still too wide when its cells are truncated.
        ///
        /// The lowest number is left out first; `nil` never.
        var omission: Int?
        /// Whether the cells are text to be typed on, such as identifiers, which is never truncated.
        var isIdentifier = false
        /// Returns the style in which a terminal shows a cell of the table's column, from the cell's text.
        var style: @Sendable (String) -> TextStyle? = { _ in nil }

        package init(
            title: String, right: Bool = false, flexible: Bool = false, omission: Int? = nil,
            style: @escaping @Sendable (String) -> TextStyle? = { _ in nil }
        ) {
            self.title = title
            self.right = right
            self.flexible = flexible
            self.omission = omission
            self.style = style
        }

        /// Creates a column of text to be typed on, such as identifiers, which is never truncated.
        package static func identifier(title: String, omission: Int? = nil) -> Column {
            var column = Column(title: title, omission: omission)
            column.isIdentifier = true
            return column
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
    package mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row to the table, with one cell for each column.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count)
        self.cells.append(cells.map { Cell($0.displayable) })
    }

    /// Returns the table as lines of text, the columns' titles first.
    ///
    /// On a terminal, columns with an ``Column/omission`` that are empty in every row are left out. If a line does not
    /// fit, flexible columns are truncated, then columns with an ``Column/omission`` are left out. A line with a long
    /// identifier may still be wider than the terminal.
    ///
    /// - Parameters:
    ///   - width: the terminal's width in columns; `nil` truncates and leaves out nothing, and the cells after a very
    ///     long one are then not aligned.
    ///   - isColored: whether the cells are in the styles of their columns, and the titles bold.
    package func lines(width: Int?, isColored: Bool = false) -> [String] {
        let titles = columns.map { Cell($0.title) }
        var widths = titles.map(\.columns)
        for row in cells { for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.columns) } }
        let limit = max(Self.maximumWidth, width ?? 0)
        widths = widths.map { min($0, limit) }
        var shown = Array(columns.indices)
        if let width {
            shown.removeAll { index in columns[index].omission != nil && cells.allSatisfy { $0[index].text.isEmpty } }
            fit(&shown, &widths, into: width)
        }
        return [titles].map {
            line($0, of: shown, widths, isTruncated: width != nil) { _, _ in isColored ? .heading : nil }
        }
            + cells.map {
                line($0, of: shown, widths, isTruncated: width != nil) { isColored ? columns[$0].style($1) : nil }
            }
    }

    private func line(
        _ cells: [Cell], of shown: [Int], _ widths: [Int], isTruncated: Bool,
        style: (_ column: Int, _ text: String) -> TextStyle?
    ) -> String {
        var line = ""
        for index in shown {
            let (cell, column) = (cells[index], columns[index])
            if index != shown.first { line += Self.gap }
            let missing = widths[index] - cell.columns
            if column.right, missing > 0 { line += String(repeating: " ", count: missing) }
            let isCut = missing < 0 && isTruncated && !column.isIdentifier
            let text = isCut ? cell.text.cut(to: widths[index]) : cell.text
            line += style(index, cell.text)?.applied(to: text) ?? text
            if !column.right, index != shown.last, missing > 0 { line += String(repeating: " ", count: missing) }
        }
        return line
    }

    /// Narrows the table's flexible columns, and leaves out columns, until a line fits into `width` columns.
    private func fit(_ shown: inout [Int], _ widths: inout [Int], into width: Int) {
        while true {
            var narrowed = widths
            if narrow(&narrowed, of: shown, to: width) || !shown.contains(where: { columns[$0].omission != nil }) {
                widths = narrowed
                return
            }
            let next = shown.filter { columns[$0].omission != nil }.min {
                columns[$0].omission! < columns[$1].omission!
            }
            shown.removeAll { $0 == next }
        }
    }

    /// Narrows the table's flexible columns, the widest first, until a line fits into `width` columns.
    ///
    /// - Returns: whether it fits now.
    private func narrow(_ widths: inout [Int], of shown: [Int], to width: Int) -> Bool {
        let gaps = Self.gap.count * (shown.count - 1)
        var excess = shown.reduce(gaps) { $0 + widths[$1] } - width
        while excess > 0 {
            let candidates = shown.filter { columns[$0].flexible && widths[$0] > Self.minimumWidth }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return false }
            widths[widest] -= 1
            excess -= 1
        }
        return true
    }
}
