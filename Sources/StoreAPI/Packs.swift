public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/packs`: a page of the list of installed packs.
public struct PackList: Sendable, Codable {
    /// The installed packs on this page of the list.
    public var packs: [InstalledPack]
    /// The packs whose directory something else than the program removed; none on a page of only some packs.
    public var missing: [MissingPack]
    /// The text to send as `after` in the request for the next page of packs; `nil` on the last page.
    public var next: String?

    /// Creates one page of the list of installed packs.
    public init(packs: [InstalledPack], missing: [MissingPack] = [], next: String? = nil) {
        self.packs = packs
        self.missing = missing
        self.next = next
    }
}

extension PackList: JSONReadable {
    /// Reads the page of installed packs with ``JSONReader``, which is much faster than `Decodable`.
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var packs: [InstalledPack]?
        var missing: [MissingPack] = []
        var next: String?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "packs": packs = try reader.array(of: InstalledPack.self)
            case "missing": missing = try reader.array(of: MissingPack.self)
            case "next": next = try reader.null() ? nil : reader.string()
            default: try reader.skip()
            }
        }
        guard let packs else { throw reader.malformed }
        self.init(packs: packs, missing: missing, next: next)
    }
}

extension PackList: SchemaProviding {
    public static let schemaName = "PackList"
    public static let schema = Schema.document(
        "The installed packs.",
        [
            .required("packs", .array(of: InstalledPack.self)),
            .required(
                "missing", .array(of: MissingPack.self),
                "Packs that are not among `packs` because something else than the program removed their directory. A "
                    + "repair installs them again, and an uninstallation forgets them. Empty if only some packs were "
                    + "requested."),
            .nextPage,
        ])
}

extension MissingPack: SchemaProviding {
    public static let schemaName = "MissingPack"
    public static let schema = Schema.document(
        "An installed pack whose directory is missing.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText.nullable, "The store that it was installed from."),
            .required("version", .version, "The version that was installed."),
            .required("operation", .nonEmptyText, "The operation that installed it."),
        ])
}

extension InstalledPack: SchemaProviding {
    public static let schemaName = "Pack"
    public static let schema = Schema.document(
        "An installed pack.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText.nullable, "`null` for an unmanaged pack, which was placed by hand."),
            .required(
                "signed", .boolean.nullable,
                "Whether the catalogue of its store is verified with its signatures. `null` if that is not known."),
            .required(
                "operation", .nonEmptyText.nullable,
                "The operation that installed this version; another version has another operation."),
            .required("kind", .productKind),
            .required("name", .text, "In the first available language of `Accept-Language`."),
            .required("version", .version),
            .required("path", .nonEmptyText, "Absolute."),
            .required("size", .count, "The size of the pack's files in bytes, without the receipt."),
            .required("installedAt", .dateTime),
            .required("held", .boolean, "Whether updates skip the pack unless they name it."),
            .required("permissions", .permissions, "The permissions of the pack, all of them consented to."),
            .required("dependencies", .array(of: .text), "The products that the pack needs."),
            .required("state", .productStates, "The first state is the one to show."),
        ])
}

/// The JSON body of the request `PATCH /v1/packs/{id}`: whether to hold the pack, so that updates skip it.
public struct PackChangeRequest: Sendable, Codable {
    /// Whether updates skip the installed pack unless they name it.
    public var held: Bool
    /// Creates the request to hold an installed pack, so that updates skip it, or to release it.
    public init(held: Bool) { self.held = held }
}

extension PackChangeRequest: SchemaProviding {
    public static let schemaName = "PackChangeRequest"
    public static let schema = Schema.request(
        "Whether updates skip a pack unless they name it.", [.required("held", .boolean)])
}

/// The daemon's JSON response to `POST /v1/packs/{id}/verify`: the pack's files that differ from the installed ones.
public struct VerificationDocument: Sendable, Codable {
    /// The product identifier of the verified pack.
    public var productIdentifier: String
    /// Whether all files of the verified pack are unchanged since the installation.
    public var intact: Bool
    /// The files of the verified pack that differ from those that were installed.
    public var damages: [PackDamage]

    /// Creates the result of a pack's verification.
    public init(productIdentifier: String, damages: [PackDamage]) {
        self.productIdentifier = productIdentifier
        intact = damages.isEmpty
        self.damages = damages
    }
}

extension VerificationDocument: SchemaProviding {
    public static let schemaName = "Verification"
    public static let schema = Schema.document(
        "The files of a pack that differ from what was installed.",
        [
            .required("productIdentifier", .nonEmptyText), .required("intact", .boolean),
            .required("damages", .array(of: PackDamage.self)),
        ])
}

extension PackDamage: SchemaProviding {
    public static let schemaName = "Damage"
    public static let schema = Schema.document(
        "One file of a pack that differs from what was installed.",
        [
            .required("path", .nonEmptyText, "Relative to the pack's directory, which itself is `.`."),
            .required(
                "damage", .enumeration(["missing", "changed", "added", "replaced", "unreadable", "permissions"])),
        ])
}
