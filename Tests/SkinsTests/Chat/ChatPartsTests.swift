import Foundation
import StoreSkins
import StoreTestSupport
import Testing

@Suite("The catalogue of a chat's parts")
struct ChatPartsTests {
    @Test func identifiersAreUniqueAndWrittenAlike() throws {
        #expect(Set(ChatParts.all.map(\.identifier)).count == ChatParts.all.count)
        for part in ChatParts.all {
            #expect(part.identifier.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(part.identifier)")
            #expect(ChatParts[part.identifier] == part)
            #expect(part.component != "uibutton" || part.identifier.contains(/^(button_|sticker_tray_|store_filter)/))
        }
        #expect(ChatParts["nothing"] == nil)
    }

    @Test func componentsAreThoseThatThereAre() {
        for part in ChatParts.all {
            #expect(SkinVocabulary.standard.component(part.component) != nil, "\(part.identifier)")
        }
    }

    @Test func aPartStandsInThoseBeforeIt() {
        var before: Set<String> = []
        for part in ChatParts.all {
            for container in part.containers {
                #expect(before.contains(container), "\(part.identifier) stands in \(container)")
            }
            before.insert(part.identifier)
        }
    }

    @Test func bubblesInAndOutOfEveryTypeHaveTheSameParts() {
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

    @Test func thePageForDesignersHasThemAllAndNoOthers() throws {
        let path = DocumentedWords.sources.appending(path: "Skins/Skins.docc/ChatParts.md").path
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
