import ArgumentParser
import StoreModel
import StoreSystem
import StoreTerminal

/// The option `--consent` of the commands that install plugins: the permissions that the user grants.
struct ConsentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Permissions to grant to plugins, separated by commas", valueName: "permissions"))
    var consent: [String] = []

    var permissions: Set<Permission> {
        Set(consent.flatMap { $0.split(separator: ",") }.map { Permission(rawValue: String($0)) })
    }

    func validate() throws {
        for permission in permissions.sorted() where !permission.isWellFormed {
            throw ValidationError("invalid permission '\(permission)': expected words such as 'code' or 'network'")
        }
    }

    /// Performs a request to install, and repeats it for the products to which the user grants missing permissions.
    ///
    /// The user is asked at the terminal.
    ///
    /// - Parameter request: receives the indices of the products to request, `nil` for all, and a function that returns
    ///   the permissions granted to each.
    /// - Returns: the state of each installation, and whether Ctrl-C interrupted the wait.
    func retryingWithConsent(
        _ console: Console,
        _ request: (_ indices: [Int]?, _ consent: (Int) -> Set<Permission>) async throws -> (
            products: [ProductInstallation], wasInterrupted: Bool
        )
    ) async throws -> (products: [ProductInstallation], wasInterrupted: Bool) {
        let given = permissions
        var (products, wasInterrupted) = try await request(nil) { _ in given }
        var answered: [Int: Set<Permission>] = [:]
        while !wasInterrupted {
            var retried: [Int] = []
            for index in products.indices {
                let result = products[index].result
                let wanted = Set(result.error?.permissions ?? []).subtracting(answered[index] ?? given)
                guard !wanted.isEmpty else { continue }
                let meanings = wanted.sorted().map(\.meaning).joined(separator: ", ")
                let answer = try await console.ask(
                    "'\(result.productIdentifier)' requests permission to \(meanings). Allow?")
                guard answer == true else {
                    // Declined: do not ask about this product again.
                    answered[index] = given.union(result.error?.permissions ?? [])
                    continue
                }
                answered[index] = (answered[index] ?? given).union(wanted)
                retried.append(index)
            }
            guard !retried.isEmpty else { break }
            let consent = answered
            let redone = try await request(retried) { consent[$0] ?? given }
            for (index, product) in zip(retried, redone.products) { products[index] = product }
            wasInterrupted = redone.wasInterrupted
        }
        return (products, wasInterrupted)
    }
}

extension Console {
    /// Asks a yes-or-no question at the terminal.
    ///
    /// - Returns: whether the answer was yes; `nil` if there is no terminal.
    func ask(_ question: String) async throws -> Bool? {
        guard FileDescriptor.standardInput.isTerminal, errors.isTerminal else { return nil }
        errors.write(question.displayable + " [y/N] ")
        let answer = try await withTaskCancellationHandler {
            try await BlockingWork(label: "storectl.question").run { readLine() }
        } onCancel: {
            // No download was requested yet, and a blocking read of the terminal can't be cancelled, so the process
            // ends here.
            CurrentProcess.exit(ExitCode.interrupted.rawValue)
        }
        return ["y", "yes"].contains(answer?.lowercased() ?? "")
    }
}
