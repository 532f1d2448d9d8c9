import StoreModel

// Texts of stores and packs as pages show them. Without these limits, a name of 16 kB would be the heading and the title of
// a page, and the label of each of its buttons.
extension String {
    /// A copy of a name for a page: without characters that control the writing direction (``displayable``), and cut with
    /// `…` if it is longer than any that people read.
    var displayableName: String { displayable(upTo: 200) }

    /// A copy of a product's fact for a page, such as the list of its authors, cut with `…` if it is too long.
    var displayableFact: String { displayable(upTo: 1000) }

    /// A copy of a text of several lines for a page, without characters that control the writing direction.
    var displayableLines: String {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).displayable }
            .joined(separator: "\n")
    }

    /// The limit counts Unicode scalars, because a character can have any number of them.
    private func displayable(upTo limit: Int) -> String {
        guard utf8.count > limit else { return displayable }
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return displayable }
        return String(scalars[..<end]).displayable + "…"
    }
}
