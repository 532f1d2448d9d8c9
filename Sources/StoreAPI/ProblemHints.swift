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
        if let hint = report.hint, Self.namesCommand(hint) {
            (neutral, commandLine) = (Self.request(after: report.code), hint)
        } else {
            (neutral, commandLine) = (report.hint, nil)
        }
    }

    private static func namesCommand(_ hint: String) -> Bool { hint.contains("'storectl ") || hint.contains("--") }

    /// Returns the hint for an error code whose hint in the error table names a command; `nil` if there is no request
    /// that helps.
    private static func request(after code: ErrorCode) -> String? {
        switch code {
        case .notPurchased: "record the purchase with 'PUT /v1/purchases/{productIdentifier}'"
        case .notOnList: "list purchases with 'GET /v1/purchases'"
        case .productUnknown: "find products with 'GET /v1/products'"
        case .severalStores: "name a store in the request"
        case .storeUnknown: "list the stores with 'GET /v1/stores'"
        case .packMissing: "list installed packs with 'GET /v1/packs'"
        case .downloadMissing: "list downloads with 'GET /v1/downloads'"
        case .downloadEnded: "begin a new one with 'POST /v1/downloads'"
        case .productBusy: "wait for its end, or cancel it with 'DELETE /v1/downloads/{productIdentifier}'"
        case .consentNeeded: "ask the user, and repeat the request with 'permissions' as its 'consent'"
        case .operationUnknown: "list the operations with 'GET /v1/operations'"
        case .emojiSetMissing: "list emoji sets with 'GET /v1/emoji', and choose one with 'PUT /v1/emoji-set'"
        case .importNotRecognized: "list the formats with 'GET /v1/sticker-formats'"
        case .importKey: "send the pack's link or key as 'key'"
        case .skinMissing: "list skins with 'GET /v1/skins'"
        case .settingsUnknownKey: "list all settings with 'GET /v1/config'"
        default: nil
        }
    }
}
