public import FoundationEssentials

/// A fenced code block of a Markdown document.
public struct MarkdownBlock: Sendable {
    /// What follows the opening fence: `bash`, `swift` and others.
    public let language: String
    /// The lines of the block, each with its newline.
    public let text: String
    /// The numbers of the lines of the opening and of the closing fence, beginning with 1.
    public let lines: ClosedRange<Int>

    /// A fence that is never closed, at a line of a document.
    public struct OpenFenceError: Error {
        public let document: URL
        public let line: Int
    }

    /// Returns the fenced code blocks of a document, in order.
    public static func all(in document: URL) throws -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var open: (fence: String, language: String, line: Int, text: String)?
        let text = try String(contentsOf: document, encoding: .utf8)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            if let block = open {
                if content == block.fence {
                    blocks.append(
                        MarkdownBlock(language: block.language, text: block.text, lines: block.line...index + 1))
                    open = nil
                } else {
                    open?.text += line + "\n"
                }
            } else if let fence = ["```", "~~~"].first(where: content.hasPrefix) {
                open = (fence, String(content.dropFirst(fence.count)), index + 1, "")
            }
        }
        if let open { throw OpenFenceError(document: document, line: open.line) }
        return blocks
    }
}
