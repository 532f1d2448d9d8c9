import ArgumentParser
import StoreMessages
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
            throw ValidationError(
                EnglishText.filled(
                    "invalid permission '{permission}': expected words such as 'code' or 'network'",
                    ["permission": "\(permission)"]))
        }
    }

    /// Performs a request to install, and repeats it for the products that lack permissions which the user then grants.
    ///
    /// The user is asked at the terminal, once for each product that requests permissions: a product that was named, or
    /// a dependency, which the question explains. A permission is granted only to the product that the question names.
    ///
    /// - Parameter request: receives the products to request again, `nil` for the first request, and the permissions
    ///   granted so far.
    /// - Returns: the state of each installation, and whether Ctrl-C interrupted the wait.
    func retryingWithConsent(
        _ console: Console,
        _ request: (_ again: [RetriedProduct]?, _ consent: Consent) async throws -> (
            products: [ProductInstallation], wasInterrupted: Bool
        )
    ) async throws -> (products: [ProductInstallation], wasInterrupted: Bool) {
        var consent = Consent(permissions)
        // The permissions that each product was asked about, granted or not.
        var answered: [String: Set<Permission>] = [:]
        var (products, wasInterrupted) = try await request(nil, consent)
        /// The permissions that the last request for each product granted.
        var requested = [Consent](repeating: consent, count: products.count)
        while !wasInterrupted {
            var again: [RetriedProduct] = []
            for (index, product) in products.enumerated() {
                let result = product.result
                guard let error = result.error, !error.permissions.isEmpty else { continue }
                let asking = error.requestingProduct ?? result.productIdentifier
                let missing = Set(error.permissions).subtracting(consent.permissions(of: asking))
                let open = missing.subtracting(answered[asking] ?? [])
                if !open.isEmpty {
                    answered[asking, default: []].formUnion(open)
                    let question = Self.question(
                        asking, open, requiredBy: result.productIdentifier, console.messages)
                    if try await console.ask(question) == true {
                        consent.toProducts[asking, default: []].formUnion(open)
                    }
                }
                // Another product of the command may need the same one, for which the user was asked already.
                guard Set(error.permissions).isSubset(of: consent.permissions(of: asking)), requested[index] != consent
                else { continue }
                again.append(RetriedProduct(index: index, productIdentifier: result.productIdentifier))
            }
            guard !again.isEmpty else { break }
            let redone = try await request(again, consent)
            for (product, new) in zip(again, redone.products) {
                (products[product.index], requested[product.index]) = (new, consent)
            }
            wasInterrupted = redone.wasInterrupted
        }
        return (products, wasInterrupted)
    }

    private static func question(
        _ asking: String, _ wanted: Set<Permission>, requiredBy named: String, _ messages: Messages
    ) -> String {
        let permissions = messages.list(wanted.sorted().map(messages.meaning))
        let values = ["product": asking, "other": named, "permissions": permissions]
        return asking == named
            ? messages.text("'{product}' requests permission to {permissions}. Allow?", values)
            : messages.text(
                "'{product}' (required by '{other}') requests permission to {permissions}. Allow?", values)
    }
}

/// A product of a command whose installation is requested again after the user granted permissions.
struct RetriedProduct: Sendable {
    /// The position of the product in the results of the command's first request.
    let index: Int
    let productIdentifier: String
}

extension Console {
    /// Whether there is a terminal on which the user can be asked a question; a program that reads JSON is not asked.
    var canAsk: Bool { !json && FileDescriptor.standardInput.isTerminal && errors.isTerminal }

    /// Asks a yes-or-no question at the terminal.
    ///
    /// - Returns: whether the answer was yes; `nil` if there is no terminal.
    func ask(_ question: String) async throws -> Bool? {
        guard canAsk else { return nil }
        self.question("\(question) \(messages.text("[y/N]"))")
        let answer = try await withTaskCancellationHandler {
            try await BlockingWork(label: "storectl.question").run { readLine() }
        } onCancel: {
            // No download was requested yet, and a blocking read of the terminal can't be cancelled, so the process
            // ends here.
            CurrentProcess.exit(ExitCode.interrupted.rawValue)
        }
        return Self.affirmativeAnswers(messages).contains(answer?.lowercased() ?? "")
    }

    /// Returns the words for yes: the English ones, which count in every language, and those of the user's language.
    static func affirmativeAnswers(_ messages: Messages) -> Set<String> {
        Set(["y", "yes"] + messages.text("y,yes").split(separator: ",").map(String.init))
    }
}
