public import StoreModel
public import StoreOpenAPI

/// The response of `GET /v1/packs`: the installed packs.
public struct PackList: Sendable, Codable {
    /// The packs of this page.
    public var packs: [InstalledPack]
    /// The value of `after` for the next page; `nil` on the last page.
    public var next: String?

    /// Creates a page of packs.
    public init(packs: [InstalledPack], next: String? = nil) {
        self.packs = packs
        self.next = next
    }
}

extension PackList: JSONReadable {
    /// Reads the list with ``JSONReader``, which is much faster than `Decodable`.
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var packs: [InstalledPack]?
        var next: String?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "packs": packs = try reader.array(of: InstalledPack.self)
            case "next": next = try reader.null() ? nil : reader.string()
            default: try reader.skip()
            }
        }
        guard let packs else { throw reader.malformed }
        self.init(packs: packs, next: next)
    }
}

extension PackList: SchemaProviding {
    public static let schemaName = "PackList"
    public static let schema = Schema.document(
        "The installed packs.", [.required("packs", .array(of: InstalledPack.self)), .nextPage])
}

extension InstalledPack: SchemaProviding {
    public static let schemaName = "Pack"
    public static let schema = Schema.document(
        "An installed pack.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText.nullable, "`null` for an unmanaged pack, which was placed by hand."),
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
            .required("state", .productStates, "The first state is the one to show."),
        ])
}

/// The body of `PATCH /v1/packs/{id}`: whether to hold the pack, so that updates skip it.
public struct PackChangeRequest: Sendable, Codable {
    /// Whether updates skip the pack unless they name the pack.
    public var held: Bool
    /// Creates the request to hold or release a pack.
    public init(held: Bool) { self.held = held }
}

extension PackChangeRequest: SchemaProviding {
    public static let schemaName = "PackChangeRequest"
    public static let schema = Schema.request(
        "Whether updates skip a pack unless they name it.", [.required("held", .boolean)])
}

/// The response of `POST /v1/packs/{id}/verify`: the files that differ from what was installed.
public struct VerificationDocument: Sendable, Codable {
    /// The product of the verified pack.
    public var productIdentifier: String
    /// Whether all files are unchanged since the installation.
    public var intact: Bool
    /// The files that differ from those that were installed.
    public var damages: [PackDamage]

    /// Creates the result of a verification.
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
