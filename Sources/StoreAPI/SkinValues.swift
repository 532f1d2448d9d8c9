public import StoreModel
public import StoreOpenAPI

extension SkinReference: SchemaProviding {
    public static let schemaName = "SkinReference"
    public static let schema = Schema.document("A skin's identifier, name and version.", schemaProperties)

    static let schemaProperties: [Schema.Property] = [
        .required("identifier", .nonEmptyText), .required("name", .text), .required("version", .version),
    ]
}

extension SkinValues: SchemaProviding {
    public static let schemaName = "SkinValues"
    public static let schema = Schema.document(
        "A skin's values, inherited ones included.",
        [
            .required("format", .positiveInteger, "The version of this document's format."),
            .required("skin", .reference(to: SkinReference.self)),
            .required("inherits", .array(of: SkinReference.self), "The skins that it inherits from, nearest first."),
            .required("idiom", .skinIdiom, "The device class that the values are for."),
            .required(
                "identifiers", .dictionary(to: .reference(to: SkinValues.Entity.self)),
                "The values of each identifier."),
        ])
}

extension SkinValues.Entity: SchemaProviding {
    public static let schemaName = "SkinEntity"
    public static let schema = Schema.document(
        "A skin's values for one identifier.",
        [
            .required("component", .nonEmptyText, "The type of the component, such as `uibutton`."),
            .required("operations", .dictionary(to: .skinOperation), "By name."),
        ])
}

extension SkinValues.Value: SchemaProviding {
    public static let schemaName = "SkinValue"
    public static let schema = Schema.document(
        "One input of an operation.",
        [
            .required("type", .nonEmptyText, "The type of the object, such as `color`."),
            .required(
                "value", .any, "In the notation of the object's type: a colour is `#rrggbb` or `#rrggbbaa`."),
            .optional("address", .text, "The address of an image."),
        ])
}

extension SkinDifference: SchemaProviding {
    public static let schemaName = "SkinDifference"
    public static let schema = Schema.document(
        "The difference between two skins, or two versions of one.",
        [
            .required("from", .reference(to: SkinReference.self).nullable),
            .required("to", .reference(to: SkinReference.self)),
            .required(
                "identifiers", .dictionary(to: .dictionary(to: Schema.skinOperation.nullable)),
                "By identifier and operation: the new inputs; `null` if the skin no longer has the operation."),
            .required(
                "properties", .dictionary(to: .text.nullable),
                "The changed custom properties of the style sheet, as CSS; `null` if the property is gone."),
            .required("rules", .boolean, "Whether the style sheet has to be loaded again."),
        ])
}

extension Schema {
    /// The JSON schema of the device types that a skin can have different values for.
    public static let skinIdiom = enumeration(["phone", "tablet", "desktop"])

    /// The JSON schema of the inputs of a skin's operation, by parameter name.
    fileprivate static let skinOperation = dictionary(to: .reference(to: SkinValues.Value.self))
}
