public import StoreOpenAPI

/// The member `confinement` of the daemon's status: whether confined processes read the packs, and by which means.
public struct ConfinementDocument: Sendable, Codable {
    /// Whether packs are read in confined processes; otherwise the daemon reads them itself, or refuses to.
    public var confined: Bool
    /// A text for display that says why packs are not read in confined processes; `nil` if they are.
    public var reason: String?
    /// Whether the setting `worker.required` makes installations fail where no confined process can be started.
    public var required: Bool
    /// The identifiers of the parts of the confinement that are in effect.
    public var inEffect: [String]
    /// The parts of the confinement that this kernel lacks.
    public var missing: [MissingConfinementDocument]

    /// Creates the description of a confinement.
    public init(
        confined: Bool, reason: String? = nil, required: Bool, inEffect: [String], missing: [MissingConfinementDocument]
    ) {
        self.confined = confined
        self.reason = reason
        self.required = required
        self.inEffect = inEffect
        self.missing = missing
    }
}

extension ConfinementDocument: SchemaProviding {
    public static let schemaName = "Confinement"
    public static let schema = Schema.document(
        "Whether confined processes read the packs that are installed, and by which means.",
        [
            .required("confined", .boolean, "Whether packs are read in confined processes."),
            .optional("reason", .nonEmptyText, "Why packs are not read in confined processes."),
            .required(
                "required", .boolean, "Whether installations fail where no confined process can be started."),
            .required("inEffect", .array(of: .nonEmptyText), "The parts of the confinement that are in effect."),
            .required(
                "missing", .array(of: .reference(to: MissingConfinementDocument.self)),
                "The parts of the confinement that this kernel lacks."),
        ])
}

/// The member `thumbnails` of the daemon's status: whether thumbnails can be made, and by which means they are confined.
public struct ThumbnailsDocument: Sendable, Codable {
    /// Whether thumbnails can be made, as far as is known: before the first one, that their program was found.
    public var available: Bool
    /// A text for display that says why no thumbnails can be made; `nil` if they can.
    public var reason: String?
    /// The identifiers of the parts of the confinement that are in effect.
    public var inEffect: [String]
    /// The parts of the confinement that this kernel lacks.
    public var missing: [MissingConfinementDocument]

    /// Creates the description of the processes that make thumbnails.
    public init(
        available: Bool, reason: String? = nil, inEffect: [String], missing: [MissingConfinementDocument]
    ) {
        self.available = available
        self.reason = reason
        self.inEffect = inEffect
        self.missing = missing
    }
}

extension ThumbnailsDocument: SchemaProviding {
    public static let schemaName = "Thumbnails"
    public static let schema = Schema.document(
        "Whether thumbnails can be made, and how the processes that draw them are confined.",
        [
            .required(
                "available", .boolean,
                "Whether thumbnails can be made. Before the first one, that their program was found, and that this kernel "
                    + "can confine it."),
            .optional("reason", .nonEmptyText, "Why no thumbnails can be made."),
            .required("inEffect", .array(of: .nonEmptyText), "The parts of the confinement that are in effect."),
            .required(
                "missing", .array(of: .reference(to: MissingConfinementDocument.self)),
                "The parts of the confinement that this kernel lacks."),
        ])
}

/// A part of the confinement that is not in effect, with the reason.
public struct MissingConfinementDocument: Sendable, Codable {
    /// The identifier of the part of the confinement, such as `network`.
    public var part: String
    /// A text for display that says why the part is not in effect.
    public var reason: String

    /// Creates the description of a part that is not in effect.
    public init(part: String, reason: String) {
        self.part = part
        self.reason = reason
    }
}

extension MissingConfinementDocument: SchemaProviding {
    public static let schemaName = "MissingConfinement"
    public static let schema = Schema.document(
        "A part of the confinement that is not in effect.",
        [.required("part", .nonEmptyText), .required("reason", .nonEmptyText)])
}
