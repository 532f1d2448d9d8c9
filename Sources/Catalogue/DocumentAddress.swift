import FoundationEssentials

/// Addresses as documents write them: relative to the document, and only of the kinds that content is taken from.
enum DocumentAddress {
    /// The absolute address, or why it can't be used.
    enum Resolved {
        case url(URL)
        case refused(String)

        var url: URL? {
            if case .url(let url) = self { url } else { nil }
        }
    }

    static func resolve(_ text: String, against document: URL) -> Resolved {
        guard let url = URL(string: text, relativeTo: document)?.absoluteURL, let scheme = url.scheme?.lowercased()
        else { return .refused("'\(text)' is no address") }
        switch scheme {
        case "http", "https":
            guard url.host?.isEmpty == false else { return .refused("'\(text)' names no host") }
            return .url(url)
        case "file":
            // A store on the network has no business with the files of this machine.
            guard document.scheme?.lowercased() == "file" else {
                return .refused("'\(text)' is a local file, and the store is not")
            }
            guard url.host?.isEmpty != false || url.host == "localhost" else {
                return .refused("'\(text)' names another machine")
            }
            return .url(url)
        default:
            return .refused("'\(text)' is neither http, https nor file")
        }
    }
}
