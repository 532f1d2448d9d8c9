import StoreModel

extension Messages {
    /// The minimum number of letters outside of its placeholders with which a text is recognized.
    private static let minimumLetters = 3
    /// The maximum number of texts within each other that are translated; a store's text may contain any number.
    private static let maximumDepth = 8
    /// The placeholders whose values are texts for people themselves, or lists of such texts.
    private static let texts: Set = [
        "advice", "cause", "content", "installed", "permissions", "reason", "rule", "unit", "warning", "who",
    ]
    /// The placeholders whose values are lists of names, which stay as they are, and of texts with values.
    private static let lists: Set = ["candidates", "downloads", "offers"]
    /// The placeholders whose values may be amounts of data, such as `6.8 kB`.
    private static let amounts: Set = [
        "bytes", "expected", "found", "free", "limit", "needed", "received", "size", "sizeLimit",
    ]

    /// Returns a finished English text in the language, such as the message of an error that the daemon reported.
    ///
    /// The daemon and JSON documents have English texts only. The text with placeholders from which the finished one was
    /// made is the one that fits it with the most letters. What fits none stays English.
    public func translation(of finished: String) -> String {
        guard language != .english else { return finished }
        return texts[finished] ?? filledTranslation(of: finished, depth: 0)
    }

    /// Returns the translation of a text with values.
    ///
    /// - Parameter depth: the number of texts that contain it.
    private func filledTranslation(of finished: String, depth: Int) -> String {
        guard depth < Self.maximumDepth else { return finished }
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
        for (name, value) in values where Self.texts.contains(name) || Self.lists.contains(name) {
            values[name] = translation(ofPart: value, isText: Self.texts.contains(name), depth: depth + 1)
        }
        for name in Self.amounts { values[name] = values[name].map { amount($0) ?? $0 } }
        values["values"] = values["values"].map(withCommas)
        if plurals[best.text] != nil, let number = values["count"].flatMap({ Int($0) }), number >= 0 {
            return text(number, one: best.text, other: best.text, values)
        }
        return text(best.text, values)
    }

    /// Returns the argument parser's list of values, such as `'bash', 'zsh' or 'fish'`, with commas of the language.
    private func withCommas(_ list: String) -> String {
        ["', '", "' or '", "' and '"].reduce(list) { $0.replacing($1, with: "'" + text(", ") + "'") }
    }

    /// The maximum number of texts in a list that is translated; one from a store may have any number.
    private static let maximumListLength = 32

    /// Returns the value of a placeholder in the language: a text, or several with commas between them.
    ///
    /// - Parameter isText: whether all of the value is text for people; otherwise it may be a name, such as `held`.
    private func translation(ofPart value: String, isText: Bool, depth: Int) -> String {
        func translation(_ text: String) -> String {
            (isText ? texts[text] : nil) ?? filledTranslation(of: text, depth: depth)
        }
        let whole = translation(value)
        let parts = value.split(separator: ", ", maxSplits: Self.maximumListLength)
        guard whole == value, (2...Self.maximumListLength).contains(parts.count) else { return whole }
        return list(parts.map { translation(String($0)) })
    }
}
