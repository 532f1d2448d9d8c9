import FoundationEssentials
import StoreModel

/// A token for the next page of a list: the sort key of the last element of the page before.
///
/// The next page begins after that key, whatever was added or removed in between, so no element is repeated and none is
/// skipped. The text of the token is opaque to clients.
struct PageToken: Equatable {
    let position: [String]

    init(_ position: [String]) { self.position = position }

    /// Decodes the text of a token for the next page of a list; `nil` if the text is not a token.
    init?(_ text: String) {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let position = try? JSON.decode([String].self, from: data) else {
            return nil
        }
        self.init(position)
    }

    /// The page token as text for clients: base64url without padding (RFC 4648, 5), which needs no escapes in a query.
    var text: String {
        let base64 = ((try? JSON.encode(position)) ?? Data()).base64EncodedString()
        return String(base64.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
