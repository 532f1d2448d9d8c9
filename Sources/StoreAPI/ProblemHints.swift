import StoreModel

/// The hints of an error response: one for any client of the interface, and one for users of the command line.
///
/// Error templates have one hint, which may name a command or an option. Such a hint is of no use to other front-ends.
struct ProblemHints {
    /// What a client of the interface does next; `nil` if there is nothing to do.
    let neutral: String?
    /// What a user of the command line does next; `nil` if that is the same.
    let commandLine: String?

    init(_ report: ErrorReport) {
        // Without a hint in the table, the command line has none either.
        guard let hint = report.hint else {
            (neutral, commandLine) = (nil, nil)
            return
        }
        if let own = Self.hint(after: report.code) {
            (neutral, commandLine) = (own, hint)
        } else if Self.namesCommand(hint) {
            let request = Self.requests(for: hint)
            (neutral, commandLine) = (Self.namesCommand(request) ? nil : request, hint)
        } else {
            (neutral, commandLine) = (hint, nil)
        }
    }

    private static func namesCommand(_ hint: String) -> Bool { hint.contains("'storectl ") || hint.contains("--") }

    /// Returns the hint for an error code whose hint in the error table does not become right by naming requests instead
    /// of commands; `nil` for all others.
    private static func hint(after code: ErrorCode) -> String? {
        switch code {
        case .planChanged: "get a new plan with 'POST /v1/plans', and ask the user again"
        case .consentNeeded: "ask the user, and repeat the request with 'permissions' as its 'consent'"
        case .eventsGone: "request 'GET /v1/snapshot', and continue with 'GET /v1/events?after=' and its 'sequence'"
        case .webLink: "ask the user for a new link, which 'POST /v1/web' at the daemon's socket returns"
        case .webLogin: "send an access token in the header 'Authorization: Bearer TOKEN'"
        case .webToken, .webScope: "ask the user for an access token that permits the request"
        case .webHost: "send the host and port of the listener's address in the header 'Host'"
        default: nil
        }
    }

    // MARK: Requests instead of commands

    /// Returns a hint in which each command is replaced by the request that does the same, and each option by the
    /// property of the request; a command without a request stays.
    private static func requests(for hint: String) -> String {
        hint.replacing(/'storectl ([^']+)'/) { match in
            let words = match.1.split(separator: " ").map(String.init)
            return request(for: words).map { "'\($0)'" } ?? String(match.0)
        }
        .replacing(/'--([a-z]+)(?:-file)?(?: [A-Z]+)?'/) { "'\($0.1)'" }
    }

    /// Returns the method and path of the request that does the same as a command; `nil` if there is none.
    private static func request(for words: [String]) -> String? {
        for (command, request) in commands {
            let parts = command.split(separator: " ").map(String.init)
            guard parts.count == words.count else { continue }
            var path = request
            let isSame = zip(parts, words).allSatisfy { part, word in
                guard part.hasPrefix("{") else { return part == word }
                // A word in capitals stands for what the user chooses.
                let isPlaceholder = word.allSatisfy(\.isUppercase)
                path = path.replacing(part, with: isPlaceholder ? "{\(word.lowercased())}" : PathSegment.encode(word))
                return true
            }
            if isSame { return path }
        }
        return nil
    }

    /// The commands that hints name, and the requests that do the same.
    private static let commands = [
        ("search", "GET /v1/products"), ("list", "GET /v1/packs"), ("info {id}", "GET /v1/packs/{id}"),
        ("downloads", "GET /v1/downloads"), ("history", "GET /v1/operations"),
        ("install", "POST /v1/downloads"), ("install {id}", "POST /v1/downloads"),
        ("cancel {id}", "DELETE /v1/downloads/{id}"),
        ("update {id}", "POST /v1/updates"), ("uninstall {id}", "DELETE /v1/packs/{id}"),
        ("uninstall {id} --use {skin}", "DELETE /v1/packs/{id}?use={skin}"),
        ("unhold {id}", "PATCH /v1/packs/{id}"), ("daemon status", "GET /v1/status"),
        ("config set", "PUT /v1/config/{key}"),
        ("verify --repair {id}", "POST /v1/packs/{id}/repair"), ("refresh {store}", "POST /v1/refresh"),
        ("config list", "GET /v1/config"), ("config set {key} {value}", "PUT /v1/config/{key}"),
        ("config unset {key}", "DELETE /v1/config/{key}"), ("store list", "GET /v1/stores"),
        ("store add", "POST /v1/stores"), ("store add {name} {url}", "POST /v1/stores"),
        ("store add {name} {url} --token-file {file}", "POST /v1/stores"),
        ("store add {name} {url} --priority {number}", "POST /v1/stores"),
        ("purchases list", "GET /v1/purchases"), ("purchases grant {id}", "PUT /v1/purchases/{id}"),
        ("stickers show {id}", "GET /v1/stickers/{id}"),
        ("stickers import --help", "GET /v1/sticker-formats"),
        ("skin list", "GET /v1/skins"), ("skin check", "POST /v1/skin/check"), ("emoji list", "GET /v1/emoji"),
        ("emoji use {id}", "PUT /v1/emoji-set"), ("emoji reset", "DELETE /v1/emoji-set"),
        ("web tokens list", "GET /v1/web/tokens"), ("web tokens revoke {name}", "DELETE /v1/web/tokens/{name}"),
    ]
}
