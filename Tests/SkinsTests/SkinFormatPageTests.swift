import Foundation
import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

/// Tests that the page about the files of a skin says what the code reads.
@Suite struct SkinFormatPageTests {
    private let page: String

    init() throws {
        let path = DocumentedErrorCodes.sources.appending(path: "Skins/Skins.docc/SkinFormat.md")
        page = try String(contentsOf: path, encoding: .utf8)
    }

    /// Returns the cells of the rows of the table whose first heading is given, without code marks.
    private func rows(of heading: String) throws -> [[String]] {
        let table = try #require(page.components(separatedBy: "\n| \(heading) |").dropFirst().first)
        return table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).prefix { $0.hasPrefix("|") }
            .map { row in
                row.dropFirst().dropLast().components(separatedBy: "|").map { cell in
                    cell.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
                }
            }
    }

    @Test func `the page lists every component with its operations and parameters`() throws {
        let documented = try rows(of: "element | inherits from")
        let components = SkinVocabulary.standard.allComponents
        #expect(documented.map { $0[0] }.sorted() == components.map(\.name))
        for row in documented {
            let component = try #require(components.first { $0.name == row[0] })
            #expect(row[1] == component.parent ?? "")
            let operations = component.operations.map { operation in
                let parameters = operation.parameters.map { parameter in
                    let items = parameter.items.map { " of \($0.count) \($0.type)" } ?? ""
                    return "\(parameter.name): \(parameter.type)\(items)"
                }
                return "\(operation.name) (\(parameters.joined(separator: ", ")))"
            }
            #expect(row[2] == operations.joined(separator: ", "))
        }
    }

    @Test func `the page lists every type with an example that is valid`() throws {
        let used = Set(
            SkinVocabulary.standard.allComponents.flatMap(\.operations).flatMap(\.parameters).map(\.type))
        let rows = try rows(of: "type | value")
        #expect(used.subtracting(rows.map { $0[0] }) == [])
        for row in rows {
            let type = try #require(SkinVocabulary.standard.objectType(row[0]), "\(row[0])")
            guard row[0] != "array" else { continue }
            let source = ObjectSource(text: row[3]) { SkinAsset(skin: "a", path: $0, isCached: false) }
            #expect(throws: Never.self, "\(row)") { _ = try type.value(of: source) }
        }
    }

    @Test func `the samples on the page are read without a warning`() throws {
        let samples = page.components(separatedBy: "```xml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```\n").first
        }
        try #require(samples.count == 2)
        let folder = try TemporaryFolder()
        try folder.directory.put("skin.xml", samples[0])
        try folder.directory.put("chat.xml", samples[1])
        let skin = try SkinDirectory(Directory.open(folder.path), origin: .purchased)
        let information = skin.information
        #expect(information.identifier == "org.example.night" && information.name == "Night")
        #expect(information.version == Version("1.2.0") && information.parent == "org.example.base")
        #expect(try SkinReader().check([skin]) == [])
    }
}
