import StoreModel
public import StoreOpenAPI

// Schemas that several resources share.
extension Schema {
    static let permissions = array(of: .text(.permission))
    /// The JSON schema of a product's version; `null` in catalogue format 1, which has no versions.
    static let version = text.nullable
    static let productStates = array(of: .enumeration(of: ProductState.self))
    static let productKind = nonEmptyText.described(
        as: "`sticker`, `skin`, `emoji`, `plugin`, or another kind that the store names.")
    /// The JSON schema of the kind of a product in a catalogue, which may leave it out by mistake.
    static let offeredKind = text.described(
        as: "`sticker`, `skin`, `emoji`, `plugin`, or another kind that the store names; empty if it names none.")
    /// The JSON schema of an event's sequence number.
    public static let sequenceNumber = count
    /// The JSON schema of the priority of a download or a store.
    ///
    /// The range is that of 32 bits, so that no sum of priorities overflows.
    static let priority = integer(in: Int(Int32.min)...Int(Int32.max))
    /// The JSON schema of text for display: one string, or one string for each language tag.
    ///
    /// Each member that has it is described by ``localizedNote(_:)``.
    static let localizedText = oneOf([.text, .dictionary(to: .text)])

    /// Returns the description of a member with text for display: a sentence about it, and the forms it has in JSON.
    static func localizedNote(_ sentence: String) -> String {
        sentence
            + " A string if the text has one form for all languages, else an object with a string for each language "
            + #"tag, such as `{"en": "Cups", "pt-BR": "Xícaras"}`."#
    }
}

extension [Schema.Property] {
    /// The members of an installed pack with its contents, such as a sticker pack with its stickers.
    static let ofInstalledContent: [Schema.Property] = [
        .required("productIdentifier", .nonEmptyText),
        .required("name", .localizedText, Schema.localizedNote("The pack's name.")),
        .optional("publisher", .text),
        .optional("license", .text),
        .required("version", .version),
        .required(
            "operation", .nonEmptyText.nullable,
            "The operation that installed this version; another version has another operation."),
        .required("path", .nonEmptyText, "Absolute."),
    ]
}

extension Schema.Property {
    /// The JSON schema of the member `next`, with which a client requests the next page of a list.
    static let nextPage = optional(
        "next", .nonEmptyText,
        "The value of `after` for the next page. Absent on the last page.")
}
