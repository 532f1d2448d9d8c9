import StoreSkins
import StoreSystem
import StoreTestSupport

/// Creates skins for tests from XML.
enum SkinForge {
    /// The definition for one identifier.
    struct Part {
        let identifier: String
        let component: String
        /// The operations with parameter name, type and element content.
        let operations: [(name: String, parameter: String, type: String, text: String)]

        init(
            _ identifier: String, _ component: String,
            _ operations: (name: String, parameter: String, type: String, text: String)...
        ) {
            self.init(identifier, component, operations)
        }

        init(
            _ identifier: String, _ component: String,
            _ operations: [(name: String, parameter: String, type: String, text: String)]
        ) {
            self.identifier = identifier
            self.component = component
            self.operations = operations
        }
    }

    static func color(_ operation: String, _ text: String) -> (String, String, String, String) {
        (operation, "color", "color", text)
    }

    /// Writes and reads a skin.
    ///
    /// - Parameter assets: the names of asset files, which are empty.
    static func read(
        _ parts: [Part], identifier: String = "test", assets: [String] = [], vocabulary: SkinVocabulary = .standard,
        for idiom: SkinIdiom = .desktop
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        let folder = try TemporaryFolder()
        try folder.directory.put("skin.xml", "<skin identifier='\(identifier)' name='A test' version='1.2'/>")
        for asset in assets { try folder.directory.put("assets/" + asset, "") }
        var xml = "<theme><instances>\n"
        for part in parts {
            xml += "<\(part.component) id=\"\(escaped(part.identifier))\">\n"
            for operation in part.operations {
                xml += "<operation name=\"\(operation.name)\"><param name=\"\(operation.parameter)\" "
                xml += "type=\"\(operation.type)\">\(operation.text)</param></operation>\n"
            }
            xml += "</\(part.component)>\n"
        }
        try folder.directory.put("all.xml", xml + "</instances></theme>")
        let chain = try SkinDirectory.chain(from: SkinDirectory(folder.directory, origin: .purchased)) { _ in nil }
        return try SkinReader(vocabulary: vocabulary).read(chain, for: idiom)
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": escaped.unicodeScalars.append(scalar)
            default: escaped += "&#\(scalar.value);"
            }
        }
        return escaped
    }
}
