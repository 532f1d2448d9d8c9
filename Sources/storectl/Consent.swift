import ArgumentParser
import StoreModel
import StoreSystem
import StoreTerminal

/// What commands take that bring in what may do more than lie there.
struct ConsentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow what plugins ask for, in words with commas between them; they are named where one is missing.",
            valueName: "words"))
    var consent: [String] = []

    var permissions: Set<Permission> {
        Set(consent.flatMap { $0.split(separator: ",") }.map { Permission(rawValue: String($0)) })
    }

    func validate() throws {
        for permission in permissions.sorted() where !permission.isWellFormed {
            throw ValidationError("'\(permission)' is no permission. They are words such as 'code' or 'network'.")
        }
    }

    /// Does the work, asks where something needs consent and there is somebody to ask, and does that part again.
    ///
    /// - Parameter work: gets the places of those to do, `nil` for all of them, and what was consented to for each.
    /// - Returns: the end of each, and whether Ctrl-C came first.
    func asking(
        _ console: Console,
        _ work: (_ places: [Int]?, _ consent: (Int) -> Set<Permission>) async throws -> (
            products: [ProductInstallation], wasInterrupted: Bool
        )
    ) async throws -> (products: [ProductInstallation], wasInterrupted: Bool) {
        let given = permissions
        var (products, wasInterrupted) = try await work(nil) { _ in given }
        var answered: [Int: Set<Permission>] = [:]
        while !wasInterrupted {
            var again: [Int] = []
            for place in products.indices {
                let result = products[place].result
                let wanted = Set(result.error?.permissions ?? []).subtracting(answered[place] ?? given)
                guard !wanted.isEmpty else { continue }
                let meanings = wanted.sorted().map(\.meaning).joined(separator: ", ")
                let answer = try await console.ask(
                    "'\(result.productIdentifier)' needs consent: it asks to \(meanings). Allow that?")
                guard answer == true else {
                    // Not asked again: all that it could ask for counts as answered.
                    answered[place] = given.union(result.error?.permissions ?? [])
                    continue
                }
                answered[place] = (answered[place] ?? given).union(wanted)
                again.append(place)
            }
            guard !again.isEmpty else { break }
            let consent = answered
            let redone = try await work(again) { consent[$0] ?? given }
            for (place, product) in zip(again, redone.products) { products[place] = product }
            wasInterrupted = redone.wasInterrupted
        }
        return (products, wasInterrupted)
    }
}

extension Console {
    /// Asks a question at the terminal. Anything but a yes is a no; `nil` where there is nobody to ask.
    func ask(_ question: String) async throws -> Bool? {
        guard FileDescriptor.standardInput.isTerminal, errors.isTerminal else { return nil }
        errors.write(visible(question) + " [y/N] ")
        let answer = try await withTaskCancellationHandler {
            try await BlockingWork(label: "storectl.question").run { readLine() }
        } onCancel: {
            // Nothing was begun, and nothing can take the reader back from the terminal.
            CurrentProcess.exit(ExitCode.interrupted.rawValue)
        }
        return ["y", "yes"].contains(answer?.lowercased() ?? "")
    }
}
