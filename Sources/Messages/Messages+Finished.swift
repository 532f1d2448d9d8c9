import StoreModel

extension Messages {
    /// The minimum number of letters outside of its placeholders with which a text is recognized.
    private static let minimumLetters = 3
    /// The maximum number of texts within each other that are translated; a store's text may contain any number.
    private static let maximumDepth = 8
    /// The placeholders whose values are texts for people themselves, or lists of such texts.
    private static let texts: Set = [
        "advice", "candidates", "cause", "content", "downloads", "error", "installed", "offers", "permissions",
        "prerequisites", "problem", "reason", "restricted", "warning", "who",
    ]

    /// Returns a finished English text in the language, such as the message of an error that the daemon reported.
    ///
    /// The daemon and JSON documents have English texts only. The text with placeholders from which the finished one was
    /// made is the one that fits it with the most letters. What fits none stays English.
    public func translation(of finished: String) -> String { translation(of: finished, depth: 0) }

    private func translation(of finished: String, depth: Int) -> String {
        guard language != .english, depth < Self.maximumDepth else { return finished }
        if let translation = texts[finished] { return translation }
        var best: (letters: Int, text: String, values: [String: String])?
        func consider(_ text: String) {
            let start = text.utf8.prefix { $0 != UInt8(ascii: "{") }
            guard finished.utf8.starts(with: start), start.count < text.utf8.count else { return }
            let template = TemplateText(text)
            let letters = template.letterCount
            guard letters >= Self.minimumLetters, best.map({ ($0.letters, $0.text) < (letters, text) }) ?? true,
                let values = template.values(in: finished)
            else { return }
            best = (letters, text, values)
        }
        texts.keys.forEach(consider)
        plurals.keys.forEach(consider)
        guard let best else { return finished }
        var values = best.values
        for (name, value) in values where Self.texts.contains(name) {
            values[name] = translation(ofPart: value, depth: depth + 1)
        }
        if plurals[best.text] != nil, let number = values["count"].flatMap({ Int($0) }), number >= 0 {
            return text(number, one: best.text, other: best.text, values)
        }
        return text(best.text, values)
    }

    /// Returns the value of a placeholder in the language: a text, or several with commas between them.
    private func translation(ofPart value: String, depth: Int) -> String {
        let whole = translation(of: value, depth: depth)
        guard whole == value, value.contains(", ") else { return whole }
        return list(value.split(separator: ", ").map { translation(of: String($0), depth: depth) })
    }
}
