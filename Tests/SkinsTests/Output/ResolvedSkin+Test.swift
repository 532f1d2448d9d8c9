import Files
import StoreModel

@testable import Skins

extension ResolvedSkin {
    /// A skin that says what the test says, by identifier, component and operations with one value each.
    static func of(
        _ entities: [(String, String, [String: SkinValue])], identifier: String = "test",
        vocabulary: SkinVocabulary = .standard
    ) -> ResolvedSkin {
        let made = entities.map { id, component, operations in
            SkinEntity(
                identifier: id, component: component,
                operations: operations.sorted { $0.key < $1.key }.map { name, value in
                    let parameter = vocabulary.operation(name, of: component)?.parameters.first?.name ?? "value"
                    return SkinEntity.Operation(name: name, parameters: [.init(name: parameter, value: value)])
                })
        }
        return ResolvedSkin(
            idiom: .desktop, chain: [Link(identifier: identifier, name: identifier, version: Version("1"))],
            entitiesByIdentifier: EntityList(made), assets: SkinAssets(folders: [:], cache: AssetCache(limit: 0)))
    }
}

extension SkinValue {
    static func color(_ text: String) -> SkinValue { SkinValue(type: "color", text: text) }
    static func float(_ text: String) -> SkinValue { SkinValue(type: "float", text: text) }
    static func string(_ text: String) -> SkinValue { SkinValue(type: "string", text: text) }
    static func font(_ text: String) -> SkinValue { SkinValue(type: "font", text: text) }
    static func image(_ path: String, of skin: String = "test") -> SkinValue {
        SkinValue(type: "image", text: "\(skin) read \(path)")
    }
}
