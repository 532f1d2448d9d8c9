import StoreModel

/// A step of a plan on a page: what is installed or updated, from where, and what it may do.
struct PlanStep: Sendable {
    let name: String
    let kindName: String
    let versions: String?
    let size: String?
    /// The name of the store that the product comes from; `nil` if it is not known.
    let origin: String?
    let requiredBy: String?
    let isUnsigned: Bool
    let hasPermissions: Bool
    let permissions: [String]
    let changes: String?

    /// Creates the description of a step.
    ///
    /// - Parameters:
    ///   - names: the display names of products by their identifiers.
    ///   - languages: the languages of the publishers' texts, the best first.
    init(_ step: ChangePlan.Step, names: [String: String], languages: [String], _ texts: PageText) {
        name = step.name.displayableName
        kindName = texts.kind(step.kind)
        versions = texts.versions(step.installed, step.version)
        size = step.downloadSize.map { texts.downloadSize($0, isMaximum: step.mayFetchParts) }
        origin = step.store?.displayableName
        requiredBy = step.requiredBy.map {
            texts.messages.text("needed by {name}", ["name": (names[$0] ?? $0).displayableName])
        }
        isUnsigned = step.signed == false
        hasPermissions = !step.permissions.isEmpty
        permissions = step.permissions.map(texts.permission)
        changes = step.changes?.text(in: languages).displayableLines
    }
}
