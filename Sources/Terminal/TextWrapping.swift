extension String {
    /// Returns the line of text as lines of at most `width` terminal columns, broken at spaces.
    ///
    /// A word that is wider than a line, such as a URL, is not broken, so that it can be copied. Spaces at the beginning
    /// of the text, and in the middle of a line, are kept.
    ///
    /// - Parameters:
    ///   - width: the terminal's width in columns; `nil` breaks nothing.
    ///   - indentation: the number of spaces before the second and each further line; `nil` is as many as the text
    ///     begins with.
    package func wrapped(to width: Int?, indentation: Int? = nil) -> [String] {
        guard let width, columns > width else { return [self] }
        let leading = prefix { $0 == " " }.count
        // Indentation that leaves no room for words would put each of them on a line of its own.
        let margin = String(repeating: " ", count: Swift.min(indentation ?? leading, width / 2))
        var lines: [String] = []
        var line = String(prefix(leading))
        var used = leading
        var hasWord = false
        var gap = ""
        for word in dropFirst(leading).split(separator: " ", omittingEmptySubsequences: false) {
            if word.isEmpty {
                gap += " "
                continue
            }
            let needed = word.columns
            if hasWord, used + gap.count + needed > width {
                lines.append(line)
                (line, used, gap) = (margin, margin.count, "")
            }
            line += gap + word
            used += gap.count + needed
            (hasWord, gap) = (true, " ")
        }
        return lines + [line]
    }
}
