import FoundationEssentials
public import StoreModel

/// What a user enters to add a store.
public struct StoreForm: Sendable {
    /// The path of the page with the form.
    public static let path = "/settings/add-store"
    /// The path to which the form is sent.
    static let action = "/actions/stores"
    /// The name of the field whose value is `true` after the user chose to add an unsigned store.
    static let unsigned = "unsigned"

    /// The URL of the store, as it was entered.
    public let address: String
    private let name: String
    /// The content of the root's file; `nil` if none was chosen.
    public let root: String?
    /// The URL of the root; `nil` if none was entered.
    public let rootAddress: String?
    /// The fingerprint that the root must have, without what separates its groups; `nil` if none was entered.
    public let fingerprint: String?
    /// The access token of the store; `nil` if none was entered.
    public let token: String?
    /// The priority of the store, as it was entered; `nil` if none was.
    public let priority: String?
    /// Whether to use the user and password from the user's `.netrc`.
    public let usesNetrc: Bool
    /// Whether the user chose to add a store that is not signed.
    public let isUnsigned: Bool

    /// Reads the fields of the form, by their names.
    public init(_ fields: [String: String] = [:]) {
        func text(_ name: String) -> String? {
            let text = fields[name]?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
            return text.isEmpty ? nil : text
        }
        address = text("url") ?? ""
        name = text("name") ?? ""
        root = fields["root"].flatMap { $0.isEmpty ? nil : $0 }
        rootAddress = text("rootURL")
        fingerprint = text("fingerprint").map { $0.filter { !$0.isWhitespace && $0 != ":" } }
        token = text("token")
        priority = text("priority")
        usesNetrc = fields["netrc"] == "true"
        isUnsigned = fields[Self.unsigned] == "true"
    }

    /// The name of the store: the one that was entered, or else that of the server, or of the directory.
    ///
    /// It is empty if nothing was entered, and nothing in the address can be a name.
    public var storeName: String {
        guard name.isEmpty, let url = URL(string: address) else { return name }
        let directories = url.pathComponents.filter { !["/", "public", "catalogue.json"].contains($0) }
        let source = url.host().flatMap { $0.isEmpty ? nil : $0 } ?? directories.last ?? ""
        let allowed = source.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        return String(allowed.drop { ".-".contains($0) }.prefix(64))
    }

    /// The fields that a question about the store repeats: all but the root, and what the answer adds.
    var hiddenFields: [PageField] {
        [
            ("url", address), ("name", storeName), ("token", token), ("priority", priority),
            ("netrc", usesNetrc ? "true" : nil),
        ].compactMap { name, value in value.map { PageField(name: name, value: $0) } }
    }

    /// The values that the page shows again after an error.
    fileprivate var enteredName: String { name }
}

/// The page with the form that adds a store.
public struct AddStorePage: Page {
    public var template: String { "addstore" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let message: String?
    let hint: String?
    let action = StoreForm.action
    let address: String
    let name: String
    let hasOptions: Bool
    let needsFileAgain: Bool
    let rootAddress: String
    let fingerprint: String
    let token: String
    let priority: String
    let usesNetrc: Bool

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - form: what the user entered before.
    ///   - error: why the store was not added, with texts in the language; `nil` at first.
    public init(_ form: StoreForm, error: ErrorReport? = nil, _ texts: PageText) {
        title = texts.messages.text("Add a store")
        navigation = NavigationLink.all(on: .settings, texts)
        message = error.map { PageText.sentence($0.message) }
        hint = error?.hint.map(PageText.sentence)
        address = form.address
        name = form.enteredName
        needsFileAgain = form.root != nil
        rootAddress = form.rootAddress ?? ""
        fingerprint = form.fingerprint.map(RootFingerprintText.grouped) ?? ""
        token = form.token ?? ""
        priority = form.priority ?? ""
        usesNetrc = form.usesNetrc
        hasOptions =
            form.usesNetrc || needsFileAgain
            || [form.rootAddress, form.fingerprint, form.token, form.priority].contains { $0 != nil }
    }
}
