import ArgumentParser
import StoreClient
import StoreModel
import StoreTerminal

/// The options of the commands that show a plan before they change packs: `--dry-run` and `--yes`.
struct PlanOptions: ParsableArguments {
    @Flag(help: "Print what would be changed, and change nothing")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Don't ask before changing more than was named; permissions need consent anyway")
    var yes = false

    init() {}

    /// Creates the options of a command that changes only what it names, and so asks nothing.
    init(dryRun: Bool) {
        self.dryRun = dryRun
        yes = true
    }

    /// How a command continues after its plan was made.
    enum Decision {
        /// The command changes what its plan shows, whose warnings were printed; `nil` if it needed no plan, and changes
        /// whatever is needed.
        case proceed(ChangePlan?)
        /// The command ends, because it was only to print its plan, or because all products that it names fail.
        case end(ExitCode)
    }

    /// Makes the plan of a command, shows it, and asks the user where it changes more than the command names.
    ///
    /// Without a terminal, the command needs no plan, which only a person reads.
    ///
    /// - Parameters:
    ///   - isShown: whether there is a terminal on which the plan is shown also if there is nothing to ask.
    ///   - names: the products that the command names; `nil` is all. If all fail, the errors are printed, and the command
    ///     ends.
    ///   - asksAlways: whether the command names no product, so that each of its changes is asked about.
    ///   - consent: the permissions that the command grants. A product that needs others is asked about later, by name.
    ///   - request: requests the plan from the daemon, and makes its errors as clear as the command's own.
    /// - Throws: `operation.cancelled` if the answer is no; the errors of `request`.
    func decide(
        _ console: Console, isShown: Bool, names: [String]?, asksAlways: Bool = false, consent: Set<Permission> = [],
        _ request: () async throws -> ChangePlan
    ) async throws -> Decision {
        let isShown = isShown && !console.quiet && !console.json
        let mayAsk = console.canAsk && !yes
        guard dryRun || isShown || mayAsk else { return .proceed(nil) }
        let plan = try await request()
        let text = PlanText(
            plan: plan, consent: consent, languages: StoreClient.languages(), messages: console.messages)
        if dryRun { return .end(report(text, of: names, console)) }
        for warning in plan.warnings { console.warning(warning) }
        if let names, Self.fails(plan, for: names) {
            console.printFailures(plan.failures.map { ($0.productIdentifier, $0.error) })
            return .end(commonExitCode(of: plan.failures.map(\.error)))
        }
        let further = plan.steps.filter { asksAlways || $0.requiredBy != nil }
        let asks = mayAsk && !further.allSatisfy { asksAlways ? false : !text.missing($0).isEmpty }
        if isShown || asks {
            // The question is on standard error, and the results of a command are on standard output.
            let output = console.errors.isTerminal ? console.errors : console.output
            let lines = text.lines(width: output.size.width, isConfirmed: asks)
            if !lines.isEmpty { output.write(lines.map { $0.displayable + "\n" }.joined()) }
            // Otherwise they are printed when the command has tried it.
            if asks {
                let failures = text.failures.flatMap { $0.displayable.wrapped(to: output.messageWidth) }
                output.write(failures.map { $0 + "\n" }.joined())
            }
        }
        if asks, try await console.ask(console.messages.text("Continue?")) != true { throw StoreError(.planDeclined) }
        return .proceed(plan)
    }

    /// Returns whether none of the products that a command names can be changed, so that there is nothing to ask about.
    ///
    /// The plan may still have steps: those of the dependencies that were found before a product failed.
    static func fails(_ plan: ChangePlan, for names: [String]) -> Bool {
        !names.isEmpty && Set(names).isSubset(of: plan.failures.map(\.productIdentifier))
    }

    /// Prints a plan as the result of a command, and returns the exit code.
    private func report(_ text: PlanText, of names: [String]?, _ console: Console) -> ExitCode {
        let plan = text.plan
        if console.json {
            console.document(plan)
        } else {
            for warning in plan.warnings { console.warning(warning) }
            let lines = text.lines(width: console.output.isTerminal ? console.output.size.width : nil, isWhole: true)
            if lines.isEmpty, plan.failures.isEmpty { console.note(console.messages.text("Nothing to do.")) }
            console.lines(lines)
        }
        console.printFailures(plan.failures.map { ($0.productIdentifier, $0.error) })
        // A product without a failure succeeds, also if it needs no step.
        let hasSuccess = names.map { $0.count > plan.failures.count } ?? !plan.steps.isEmpty
        return commonExitCode(of: plan.failures.map(\.error) + (hasSuccess ? [nil] : []))
    }
}
