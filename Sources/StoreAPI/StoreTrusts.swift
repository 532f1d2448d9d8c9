public import StoreModel
public import StoreOpenAPI

extension StoreSignature: SchemaProviding {
    public static let schemaName = "StoreSignature"
    public static let schema = Schema.document(
        "The root that the user trusts, and the last verification with it.",
        [
            .required("fingerprint", .text(.sha256), "The SHA-256 of the root with which the store was added."),
            .required("rootVersion", .positiveInteger.nullable, "The version of the root that is trusted now."),
            .required("verifiedAt", .dateTime.nullable, "When metadata and catalogue were last verified."),
            .required("expires", .dateTime.nullable, "When the first part of the verified metadata expires."),
            .required(
                "warnings", .array(of: .text),
                "What was left out of the catalogue because it did not verify, such as products of a publisher."),
        ])
}

extension StoreTrustReport: SchemaProviding {
    public static let schemaName = "StoreTrust"
    public static let schema = Schema.document(
        "The basis on which a store's catalogue is accepted.",
        [
            .required("store", .nonEmptyText, "The name of the store."),
            .required("signed", .boolean, "Whether the catalogue is accepted only with a valid signature."),
            .required(
                "signatureAvailable", .boolean,
                "Whether the store, which was added without a signature, publishes signed metadata now."),
            .required("signature", .reference(to: StoreSignature.self).nullable, "`null` for an unsigned store."),
            .required(
                "age", .count.nullable,
                "The seconds since the last verification, by the latest time that this computer has seen."),
            .required("warnAfter", .count, "The age in seconds from which a warning is shown."),
            .required("refuseAfter", .count, "The age in seconds from which nothing is installed or updated."),
            .required(
                "refusal", .reference(to: ErrorReport.self).nullable,
                "Why nothing is installed or updated from the store at present."),
            .required("roles", .array(of: Role.self), "Empty for an unsigned store."),
            .required("publishers", .array(of: Publisher.self), "Empty if all products are the owner's."),
        ])
}

extension StoreTrustReport.Role: SchemaProviding {
    public static let schemaName = "StoreRole"
    public static let schema = Schema.document(
        "A role of a store's metadata.",
        [
            .required("role", .nonEmptyText, "`root`, `timestamp`, `snapshot` or `targets`."),
            .required("version", .positiveInteger.nullable, "The version of the role's metadata."),
            .required("expires", .dateTime.nullable, "When the role's metadata expires."),
            .required("threshold", .positiveInteger, "The number of keys that have to sign."),
            .required("keys", .array(of: StoreTrustReport.Key.self)),
        ])
}

extension StoreTrustReport.Publisher: SchemaProviding {
    public static let schemaName = "StorePublisher"
    public static let schema = Schema.document(
        "A publisher of a store, who signs the products of one identifier prefix.",
        [
            .required("name", .nonEmptyText),
            .required(
                "identifierPrefix", .nonEmptyText, "The beginning of the identifiers of the publisher's products."),
            .required("threshold", .positiveInteger, "The number of keys that have to sign."),
            .required("keys", .array(of: StoreTrustReport.Key.self)),
        ])
}

extension StoreTrustReport.Key: SchemaProviding {
    public static let schemaName = "StoreKey"
    public static let schema = Schema.document(
        "A key that is trusted for a role.",
        [
            .required("id", .text, "The identifier of the key in the metadata."),
            .required("scheme", .text, "The kind of its signatures, such as `ed25519`."),
            .required("publicKey", .text, "The key: hexadecimal digits or PEM."),
        ])
}
