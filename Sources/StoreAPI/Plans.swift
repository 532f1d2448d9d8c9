public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/plans` to the daemon: the request whose plan is to be made.
public struct PlanRequest: Sendable, Codable {
    /// The request that the plan is made for.
    public var action: ChangePlan.Action
    /// The products that the plan is made for; `nil` is all packs, which only an update may concern.
    public var products: [ChangePlan.Product]?
    /// For a removal: the identifier of the skin to use if one of the packs is the skin in use.
    public var use: String?

    /// Creates the request for the plan of a request.
    public init(action: ChangePlan.Action, products: [ChangePlan.Product]? = nil, use: String? = nil) {
        self.action = action
        self.products = products
        self.use = use
    }
}

extension PlanRequest: SchemaProviding {
    public static let schemaName = "PlanRequest"
    public static let schema = Schema.request(
        "The request that a plan is made for.",
        [
            .required("action", .enumeration(of: ChangePlan.Action.self)),
            .optional(
                "products", .array(of: ChangePlan.Product.self).nullable,
                "The products to install, update or uninstall. If absent, an update of all packs."),
            .optional(
                "use", .nonEmptyText.nullable,
                "For `uninstall`: the skin to use if one of the packs is the skin in use."),
        ])
}

extension ChangePlan.Product: SchemaProviding {
    public static let schemaName = "PlanProduct"
    public static let schema = Schema.request(
        "A product that a plan is made for: either `productIdentifier` or `file`.", minimumCount: 1,
        [
            .optional("productIdentifier", .nonEmptyText.nullable),
            .optional("store", .nonEmptyText.nullable, "For `install`: the store to install the product from."),
            .optional(
                "file", .nonEmptyText.nullable,
                "For `install`: the absolute path of a ZIP file on this machine, in place of a product of a store. The "
                    + "open files of up to 32 products may come with the request, as for `POST /v1/downloads`."),
        ])
}

extension ChangePlan: SchemaProviding {
    public static let schemaName = "Plan"
    public static let schema = Schema.document(
        "What a request would change. Nothing has been changed.",
        [
            .required("steps", .array(of: ChangePlan.Step.self), "In the order in which they begin."),
            .required(
                "keptBack", .array(of: AvailableUpdate.self),
                "The newer versions that an update of all packs leaves out, with the reasons."),
            .required(
                "unneeded", .array(of: .nonEmptyText),
                "The packs that nothing needs any more after a removal, and that were not installed by name."),
            .required(
                "failures", .array(of: ChangePlan.Failure.self), "The products that can't be changed, with the reasons."
            ),
            .required(
                "downloadSize", .count.nullable,
                "The size in bytes of all archives; `null` if one of them is unknown. Less is fetched where parts of "
                    + "an archive are on the machine already."),
            .required(
                "diskSize", .count.nullable,
                "The size in bytes of all files to install, or to remove; `null` if one of them is unknown."),
            .required("freeSpace", .count.nullable, "The free bytes on the disk of the packs; `null` if unknown."),
            .required(
                "warnings", .array(of: .text),
                "The stores that did not respond, or whose catalogue is out of date, with the reason; and too little "
                    + "free space."),
        ])
}

extension ChangePlan.Step: SchemaProviding {
    public static let schemaName = "PlanStep"
    public static let schema = Schema.document(
        "The change of one product.",
        [
            .required("id", .nonEmptyText, "For `agreed`: equal only for a step that does exactly the same."),
            .required("action", .enumeration(of: OperationAction.self)),
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText.nullable),
            .required(
                "signed", .boolean.nullable,
                "Whether the catalogue of the store is verified with its signatures. `null` if that is not known."),
            .required("kind", .productKind),
            .required("name", .text),
            .required("installed", .version, "The version before the step."),
            .required("version", .version, "The version after the step; `null` after a removal."),
            .required(
                "requiredBy", .nonEmptyText.nullable,
                "The product that needs this one; `null` if the request names it, or is for all."),
            .required(
                "downloadSize", .count.nullable,
                "The size in bytes of the archive; `null` if unknown, and if nothing is downloaded. An update or a repair "
                    + "fetches at most this: less where parts of the archive are installed already."),
            .required(
                "diskSize", .count.nullable, "The size in bytes of the files to install or remove; `null` if unknown."),
            .required("permissions", .permissions, "The permissions that lack consent."),
            .required(
                "changes", .localizedText.nullable,
                Schema.localizedNote(
                    "What an update changes, as the publisher describes it; `null` if the store has no such text.")),
        ])
}

extension ChangePlan.Failure: SchemaProviding {
    public static let schemaName = "PlanFailure"
    public static let schema = Schema.document(
        "A product that can't be changed.",
        [
            .required("productIdentifier", .nonEmptyText, "As in the request; the path of a file."),
            .required("error", .reference(to: ErrorReport.self)),
        ])
}

extension Schema {
    /// The JSON schema of the member `agreed`, which limits a request to the steps of a plan.
    static let agreement = array(of: .nonEmptyText).nullable
    /// What the member `agreed` of a request does.
    static let agreementDescription =
        "The `id` of each step of a plan that the user agreed to. What is not among them is not done: the error is "
        + "`conflict.plan-changed`. If absent, whatever is needed is done."
}
