public import ArgumentParser
import FoundationEssentials
import StoreModel
public import StoreScenarios
import StoreTerminal

/// The command `stored scenarios`, which lists the built-in scenarios or prints one of them.
struct ScenariosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenarios",
        abstract: "List the built-in scenarios, or print one of them", aliases: ["stories"])

    @Argument(help: ArgumentHelp("Scenario to print", valueName: "scenario"))
    var name: String?

    @Flag(help: "Print the events that the scenario produces, one per line, instead of its script")
    var trace = false

    func validate() throws {
        if trace, name == nil { throw ValidationError("--trace requires a scenario") }
    }

    func run() throws {
        if let name {
            let entry = try BuiltInScenarios.entry(name)
            return Stored.console.output.write(String(decoding: trace ? entry.trace : entry.document, as: UTF8.self))
        }
        let width = BuiltInScenarios.all.map(\.name.count).max() ?? 0
        for entry in BuiltInScenarios.all {
            let script = try ScenarioScript(entry.document, named: entry.name)
            Stored.console.line(entry.name.padded(to: width + 2) + script.title)
        }
    }
}

extension ScenarioScript.ClockMode: ExpressibleByArgument {}
