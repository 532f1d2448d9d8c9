public import StoreModel
public import StoreOpenAPI

extension SkinReference {
    fileprivate static let dark = SkinReference(identifier: "dark", name: "Dark", version: Version("1.0.0"))
    fileprivate static let light = SkinReference(identifier: "light", name: "Light", version: Version("1.0.0"))
}

extension SkinList: ExampleProviding {
    public static var example: SkinList {
        let skins = [(SkinReference.dark, "light"), (.light, nil)].map { skin, parent in
            SkinSummary(
                identifier: skin.identifier, name: skin.name, version: skin.version, parent: parent,
                origin: .preinstalled, inUse: skin == .dark,
                path: "/usr/share/storectl/packs/\(skin.identifier).theme")
        }
        return SkinList(use: .example, skins: skins, unreadable: [])
    }
}

extension SkinUse: ExampleProviding {
    public static var example: SkinUse { SkinUse(skin: .dark, inherits: [.light], chosen: "dark") }
}

extension SkinRequest: ExampleProviding {
    public static var example: SkinRequest { SkinRequest(identifier: SkinReference.dark.identifier) }
}

extension SkinCheckRequest: ExampleProviding {
    public static var example: SkinCheckRequest { SkinCheckRequest(folder: "/home/ada/skins/night.theme") }
}

extension SkinReport: ExampleProviding {
    public static var example: SkinReport {
        SkinReport(warnings: [
            Warning(
                code: "skin.unknown-operation", skin: "night", file: "chat.xml", line: 12,
                message: "class 'uilabel': unknown operation 'textColour'")
        ])
    }
}

extension SkinValues: ExampleProviding {
    public static var example: SkinValues {
        SkinValues(
            skin: .dark, inherits: [.light], idiom: "desktop",
            identifiers: [
                "bubble_in_text": Entity(
                    component: "uiview",
                    operations: ["backgroundColor": ["color": Value(type: "color", value: "#2b2d31")]])
            ])
    }
}
