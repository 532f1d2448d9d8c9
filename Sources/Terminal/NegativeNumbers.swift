/// A namespace for telling the negative numbers of a command line from its options.
package enum NegativeNumbers {
    /// Returns the words of a command line with the negative numbers that are arguments, such as `-1`, behind `--`.
    ///
    /// The parser would take such a word for an option. A number after an option's name is left to that option. No option
    /// of a command is a digit.
    package static func separated(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var (others, numbers): ([String], [String]) = ([], [])
        for word in words[..<end] {
            let isNumber = word.first == "-" && word.dropFirst().first?.isNumber == true
            if isNumber, others.last?.hasPrefix("-") != true { numbers.append(word) } else { others.append(word) }
        }
        guard !numbers.isEmpty else { return words }
        return others + ["--"] + numbers + words[end...].dropFirst()
    }
}
