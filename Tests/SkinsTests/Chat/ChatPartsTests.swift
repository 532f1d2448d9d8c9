import Foundation
import StoreSkins
import StoreTestSupport
import Testing

@Suite struct ChatPartsTests {
    @Test func `identifiers are unique and follow the naming rules`() throws {
        #expect(Set(ChatParts.all.map(\.identifier)).count == ChatParts.all.count)
        for part in ChatParts.all {
            #expect(part.identifier.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(part.identifier)")
            #expect(ChatParts[part.identifier] == part)
            #expect(part.component != "uibutton" || part.identifier.contains(/^(button_|sticker_tray_|store_filter)/))
        }
        #expect(ChatParts["nothing"] == nil)
    }

    @Test func `all components exist in the vocabulary`() {
        for part in ChatParts.all {
            #expect(SkinVocabulary.standard.component(part.component) != nil, "\(part.identifier)")
        }
    }

    @Test func `a part follows the parts that contain it`() {
        var before: Set<String> = []
        for part in ChatParts.all {
            for container in part.containers {
                #expect(before.contains(container), "\(part.identifier) stands in \(container)")
            }
            before.insert(part.identifier)
        }
    }

    @Test func `incoming and outgoing bubbles have the same parts`() {
        let types = ["text", "location", "contact", "sticker", "file"]
        for type in types {
            #expect(ChatParts["bubble_in_\(type)"]?.component == "uiview")
            #expect(ChatParts["bubble_out_\(type)"]?.component == "uiview")
        }
        let names = ChatParts.all.map(\.identifier)
        let incoming = names.filter { $0.contains("bubble_in_") }
        let outgoing = names.filter { $0.contains("bubble_out_") && !$0.contains("_status_") }
        #expect(incoming.map { $0.replacing("bubble_in_", with: "bubble_out_") } == outgoing)
    }

    @Test func `the documentation lists exactly these parts`() throws {
        let path = DocumentedErrorCodes.sources.appending(path: "Skins/Skins.docc/ChatParts.md").path
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let documented = page.split(separator: "\n").filter { $0.hasPrefix("| `") || $0.hasPrefix("### ") }
        #expect(documented.map(String.init) == ChatParts.areas.flatMap(rows))
    }

    private func rows(_ area: ChatParts.Area) -> [String] {
        ["### \(area.name)"]
            + area.parts.map { part in
                let containers = part.containers.map { "`\($0)`" }.joined(separator: " ")
                return
                    "| `\(part.identifier)` | \(part.component) | \(part.state ?? "") | \(containers) | \(part.summary) |"
            }
    }
}
