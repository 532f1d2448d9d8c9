import StoreAPI
import StoreModel

extension Components {
    /// What a chat's parts look like.
    static let skins: [String: Schema] = [
        "SkinList": .document(
            "The skins that are there, and which is in use.",
            [
                .member("use", .component("SkinUse")),
                .member("skins", .list(of: "SkinSummary"), "By identifier."),
                .member(
                    "unreadable", .list(of: "UnreadableSkin"), "Folders that are called as skins are, and are none."),
            ]),
        "SkinSummary": .document(
            "One skin.",
            skinReference + [
                .member("parent", .name.orNull, "The identifier of the skin that it inherits from."),
                .member(
                    "origin", .words(of: SkinSummary.Origin.self), "Came with the application, or is in the library."),
                .member("inUse", .flag, "Whether it is the one that is applied."),
                .member("path", .name, "Absolute."),
            ]),
        "UnreadableSkin": .document(
            "A folder that is called as skins are, and why it is none.",
            [.member("path", .name, "Absolute."), .member("error", .component("Error"))]),
        "SkinReference": .document("Which skin.", skinReference),
        "SkinUse": .document("Which skin is in use, and whether it is the one that was asked for.", skinUse),
        "SkinValues": .document(
            "A skin with everything that it inherits folded in.",
            [
                .member("format", .whole(in: 1...Int.max), "Of this document."),
                .member("skin", .component("SkinReference")),
                .member("inherits", .list(of: "SkinReference"), "The nearest first."),
                .member("idiom", idiom, "The kind of device that it was read for."),
                .member("identifiers", .map(to: .component("SkinEntity")), "What it says for each."),
            ]),
        "SkinEntity": .document(
            "What a skin says for one identifier.",
            [
                .member("component", .name, "Its type, such as `uibutton`."),
                .member("operations", .map(to: skinOperation), "By name."),
            ]),
        "SkinValue": .document(
            "One input of an operation.",
            [
                .member("type", .name, "Of the object, such as `color`."),
                .member("value", .any, "As the object's type writes it: a colour as `#rrggbb` or `#rrggbbaa`."),
                .optional("address", .text, "Of an image: where it is to be had."),
            ]),
        "SkinDifference": .document(
            "What is another between two skins, or two versions of one.",
            [
                .member("from", .component("SkinReference").orNull),
                .member("to", .component("SkinReference")),
                .member(
                    "identifiers", .map(to: .map(to: skinOperation.orNull)),
                    "By identifier and operation: the new inputs; `null` where the skin no longer gives the operation."),
                .member(
                    "properties", .map(to: .text.orNull),
                    "The custom properties of a page that are another: CSS; `null` where there is none any more."),
                .member("rules", .flag, "Whether the style sheet is to be loaded again."),
            ]),
        "SkinReport": .document(
            "What of a skin was not understood and left out.", [.member("warnings", .list(of: "SkinWarning"))]),
        "SkinWarning": .document(
            "Something in a skin's files that was not understood.",
            [
                .member("code", .name),
                .member("skin", .name, "Whose file it is: that skin, or one that it inherits from."),
                .member("file", .name, "Relative to the skin's folder."),
                .member("line", .whole(in: 1...Int.max).orNull),
                .member("message", .text),
            ]),
        "SkinRequest": .request("Which skin to use from now on.", [.member("identifier", .name)]),
        "SkinCheckRequest": .request(
            "The skin to look at.", [.member("folder", .name, "The absolute path of its folder.")]),
    ]

    static let idiom = Schema.words(["phone", "tablet", "desktop"])

    static let skinUse: [Schema.Member] = [
        .member("skin", .component("SkinReference").orNull, "`null` where none could be loaded."),
        .member("inherits", .list(of: "SkinReference"), "What it inherits from, the nearest first."),
        .member("chosen", .name.orNull, "What was asked for last; `null` is the default."),
        .member("problem", .component("Error").orNull, "Why that is not what is applied; `null` where it is."),
    ]

    private static let skinReference: [Schema.Member] = [
        .member("identifier", .name), .member("name", .text), .member("version", version),
    ]

    /// The inputs of an operation, by the parameter's name.
    private static let skinOperation = Schema.map(to: .component("SkinValue"))
}
