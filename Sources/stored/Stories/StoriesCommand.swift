public import ArgumentParser
public import StoreScenarios
import StoreSystem

/// Shows the stories that `--scenario` plays.
struct StoriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stories",
        abstract: "Show the stories that 'stored --scenario' plays: all names, or one story as it is written.")

    @Argument(help: ArgumentHelp("The story to show.", valueName: "story"))
    var name: String?

    @Flag(help: "Show the events that the story gives, one a line, instead of the story.")
    var trace = false

    func validate() throws {
        if trace, name == nil { throw ValidationError("Name the story whose events are to be shown.") }
    }

    func run() throws {
        if let name {
            let entry = try StorySet.entry(name)
            let text = trace ? entry.trace : entry.document
            return try FileDescriptor.standardOutput.writeAll(String(decoding: text, as: UTF8.self))
        }
        let width = StorySet.all.map(\.name.count).max() ?? 0
        for entry in StorySet.all {
            let story = try Story(entry.document, named: entry.name)
            let gap = String(repeating: " ", count: width + 2 - entry.name.count)
            Stored.say(entry.name + gap + story.title, to: .standardOutput)
        }
    }
}

extension Story.Clock: ExpressibleByArgument {}
