import FoundationEssentials
public import StoreModel

/// The page of one store among the settings: its state, and the basis on which its catalogue is accepted.
public struct StoreTrustPage: Page {
    struct Role: Sendable {
        let name: String
        let version: String
        let expires: String
        let signatures: String
        let keys: [String]
    }

    struct Publisher: Sendable {
        let name: String
        let products: String
        let signatures: String
        let keys: [String]
    }

    public var template: String { "trust" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    let name: String
    let path: String
    let isUnsigned: Bool
    let isSignatureAvailable: Bool
    let error: String?
    let refusal: String?
    let facts: [PageField]
    let hasRoles: Bool
    let roles: [Role]
    let hasPublishers: Bool
    let publishers: [Publisher]

    /// Returns the path of the page of a store.
    public static func path(of store: String) -> String { "/settings/stores/\(PathSegment.encode(store))" }

    /// Creates the page.
    public init(_ store: StoreSummary, _ trust: StoreTrustReport, _ texts: PageText) {
        let messages = texts.messages
        title = store.name.displayable
        navigation = NavigationLink.all(on: .settings, texts)
        warnings = trust.signature?.warnings.map(texts.translation) ?? []
        name = store.name.displayable
        path = PathSegment.encode(store.name)
        isUnsigned = !trust.signed
        isSignatureAvailable = trust.signatureAvailable
        error = store.error.map(texts.sentences)
        refusal = trust.refusal.map {
            messages.text("Nothing is installed or updated from this store: {reason}", ["reason": texts.sentences($0)])
        }
        func time(_ date: Date?) -> String { date.map(texts.time) ?? messages.text("never") }
        func signatures(_ threshold: Int, of keys: [StoreTrustReport.Key]) -> String {
            messages.text("{threshold} of {number}", ["threshold": "\(threshold)", "number": "\(keys.count)"])
        }
        func names(of keys: [StoreTrustReport.Key]) -> [String] {
            keys.map { "\($0.scheme) \($0.id.prefix(16))".displayable }
        }
        var facts = [
            (messages.text("Address"), store.url.absoluteString.displayable),
            (messages.text("Products"), texts.products(store.products)),
            (messages.text("Priority"), "\(store.priority)"),
            (messages.text("Last refresh"), time(store.refreshedAt)),
        ]
        if let signature = trust.signature {
            facts.append((messages.text("Root"), RootFingerprintText.grouped(signature.fingerprint)))
            if let version = signature.rootVersion {
                facts.append((messages.text("Version of the root"), "\(version)"))
            }
            facts.append((messages.text("Last verified"), time(signature.verifiedAt)))
            if let expires = signature.expires { facts.append((messages.text("Expires"), texts.time(expires))) }
            let limits = messages.verificationLimits(warning: trust.warnAfter, refusal: trust.refuseAfter)
            facts.append((messages.text("Limits"), PageText.sentence(limits)))
        }
        self.facts = facts.map { PageField(name: $0, value: $1) }
        roles = trust.roles.map { role in
            Role(
                name: role.role.displayableName, version: role.version.map { "\($0)" } ?? messages.text("none"),
                expires: role.expires.map(texts.time) ?? messages.text("none"),
                signatures: signatures(role.threshold, of: role.keys), keys: names(of: role.keys))
        }
        hasRoles = !roles.isEmpty
        publishers = trust.publishers.map { publisher in
            Publisher(
                name: publisher.name.displayableName, products: publisher.identifierPrefix.displayableName + "*",
                signatures: signatures(publisher.threshold, of: publisher.keys), keys: names(of: publisher.keys))
        }
        hasPublishers = !publishers.isEmpty
    }
}
