import StoreMessages
public import StoreModel

/// The page that shows what an update would change, and asks whether to do that.
public struct UpdatePlanPage: Page {
    struct KeptBack: Sendable {
        let name: String
        let versions: String?
        let reason: String
        /// The name of the field that selects the pack, and the path of the page; `nil` if it can't be updated.
        let selection: String?
        let path = UpdatePlanPage.path
    }

    /// The path of the page.
    public static let path = "/updates"

    /// The beginning of the names of the page's parameters that select packs; the rest is the product identifier.
    public static let selectionPrefix = "pack:"

    /// Returns the field of a form that selects a pack to update.
    static func field(selecting productIdentifier: String) -> PageField {
        PageField(name: selectionPrefix + productIdentifier, value: "true")
    }

    public var template: String { "plan" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    /// The packs that can't be updated, with the reasons.
    let failures: [PageField]
    /// The text to show if the plan has no steps; `nil` if it has some.
    let note: String?
    let hasSteps: Bool
    let steps: [PlanStep]
    let sizes: [PageField]
    let hasKeptBack: Bool
    let keptBack: [KeptBack]
    let confirmation: String
    let fields: [PageField]
    let back: String

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - selection: the product identifiers of the packs that the user wants to update; `nil` is all.
    ///   - names: the display names of installed packs by their product identifiers.
    ///   - back: the path of the page from which the user comes.
    ///   - languages: the languages of the publishers' texts, the best first.
    public init(
        _ plan: ChangePlan, of selection: [String]?, names: [String: String], back: String, languages: [String],
        _ texts: PageText
    ) {
        let messages = texts.messages
        let names = plan.steps.reduce(into: names) { $0[$1.productIdentifier] = $1.name }
        func name(_ identifier: String) -> String { (names[identifier] ?? identifier).displayableName }
        title = messages.text("Updates")
        navigation = NavigationLink.all(on: .library, texts)
        warnings = plan.warnings.map(texts.translation)
        failures = plan.failures.map { failure in
            PageField(name: name(failure.productIdentifier), value: texts.sentences(failure.error))
        }
        hasSteps = !plan.steps.isEmpty
        steps = plan.steps.map { PlanStep($0, names: names, languages: languages, texts) }
        let download = plan.downloadSize.map { texts.downloadSize($0, isMaximum: plan.mayFetchParts) }
        let amounts = [
            (messages.text("To download"), download), (messages.text("Size on disk"), plan.diskSize.map(texts.size)),
            (messages.text("Free space"), plan.freeSpace.map(texts.size)),
        ]
        sizes = amounts.compactMap { name, size in size.map { PageField(name: name, value: $0) } }
        keptBack = plan.keptBack.map { update in
            let isPossible = update.heldBack == AvailableUpdate.held || !update.permissions.isEmpty
            return KeptBack(
                name: name(update.productIdentifier), versions: texts.versions(update.installed, update.available),
                reason: texts.reason(update),
                selection: isPossible ? Self.field(selecting: update.productIdentifier).name : nil)
        }
        hasKeptBack = !keptBack.isEmpty
        note =
            if hasSteps || !failures.isEmpty {
                nil
            } else if selection?.isEmpty == true {
                messages.text("No pack is selected.")
            } else {
                hasKeptBack
                    ? messages.text("All other packs are up to date.") : messages.text("All packs are up to date.")
            }
        let consent = plan.steps.flatMap { PageField.consents(to: $0.productIdentifier, $0.permissions) }
        confirmation = consent.isEmpty ? messages.text("Update") : messages.text("Allow and update")
        // The request does nothing that the page does not show.
        var fields = [PageField(name: "agreed", value: PageField.words(plan.agreement.sorted()))]
        if let selection { fields.append(PageField(name: "packs", value: PageField.words(selection))) }
        if !consent.isEmpty { fields.append(PageField(name: "consent", value: consent.joined(separator: " "))) }
        self.fields = fields
        self.back = back
    }
}
