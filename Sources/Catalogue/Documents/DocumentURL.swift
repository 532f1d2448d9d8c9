import FoundationEssentials

/// A namespace for resolving URLs in catalogue documents: relative to the document, and only with allowed schemes.
enum DocumentURL {
    /// The result of resolving a URL of a catalogue document: the absolute URL, or the reason why it is refused.
    enum Resolved {
        case url(URL)
        case refused(String)

        var url: URL? {
            if case .url(let url) = self { url } else { nil }
        }
    }

    /// Resolves a URL that a catalogue document contains against the document's own URL.
    ///
    /// Only `http`, `https` and, in a local document, `file` are allowed.
    static func resolve(_ text: String, against document: URL) -> Resolved {
        guard let url = URL(string: text, relativeTo: document)?.absoluteURL, let scheme = url.scheme?.lowercased()
        else { return .refused("'\(text)' is not a URL") }
        switch scheme {
        case "http", "https":
            guard url.host?.isEmpty == false else { return .refused("'\(text)' has no host") }
            return .url(url)
        case "file":
            // A store on the network must not read local files.
            guard document.scheme?.lowercased() == "file" else {
                return .refused("'\(text)' is a local file, and the store is not")
            }
            guard url.host?.isEmpty != false || url.host == "localhost" else {
                return .refused("'\(text)' is on another machine")
            }
            return .url(url)
        default:
            return .refused("'\(text)' is neither http, https nor file")
        }
    }
}
