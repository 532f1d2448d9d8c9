/// A text with placeholders, such as that of an error template, split into literal text and placeholders.
package struct TemplateText {
    /// A part of a text: literal text, or the name of a placeholder such as `path` for `{path}`.
    enum Segment: Equatable {
        case literal(Substring)
        case placeholder(String)
    }

    let segments: [Segment]

    /// Splits a text at its placeholders: ASCII letters and digits in braces, such as `{path}`.
    ///
    /// Other braces are literal text, so that messages can show JSON.
    package init(_ text: String) {
        var segments: [Segment] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            let name = rest[open...].dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
                segments.append(.literal(rest[...open]))
                rest = rest[rest.index(after: open)...]
                continue
            }
            if open > rest.startIndex { segments.append(.literal(rest[..<open])) }
            segments.append(.placeholder(String(name)))
            rest = rest[rest.index(after: name.endIndex)...]
        }
        if !rest.isEmpty { segments.append(.literal(rest)) }
        self.segments = segments
    }

    /// Returns the text with the placeholders replaced by their values; one without a value stays, so that it is noticed.
    package func filled(_ value: (_ placeholder: String) -> String?) -> String {
        var text = ""
        for segment in segments {
            switch segment {
            case .literal(let literal): text += literal
            case .placeholder(let name): text += value(name) ?? "{\(name)}"
            }
        }
        return text
    }

    var placeholders: [String] {
        segments.compactMap { segment in
            guard case .placeholder(let name) = segment else { return nil }
            return name
        }
    }
}
