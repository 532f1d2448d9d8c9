import ArgumentParser
import StoreClient
import StoreModel
import StoreTerminal

/// The command `storectl store trust`: shows the keys with which a store is verified.
struct StoreTrustCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Show how a store is verified",
        discussion: """
            Shows the root with which the store was added, the roles of its metadata with their keys, its publishers, and \
            when the store was last verified. The store is not contacted.

            Examples:
              storectl store trust cups
              storectl store trust cups --json
            """)

    @Argument(help: "Name of the store", completion: CompletionCandidates.stores)
    var name: String

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { name }

    func run(_ console: Console) async throws -> ExitCode {
        let trust = try await client().storeTrust(name)
        if console.json {
            console.document(trust)
        } else {
            console.show(trust)
        }
        return .done
    }
}

extension Console {
    /// Prints the basis on which a store's catalogue is accepted.
    fileprivate func show(_ trust: StoreTrustReport) {
        guard let signature = trust.signature else {
            paragraph("\(trust.store) is unsigned: its products are those of the server at its address.")
            if trust.signatureAvailable {
                hint(
                    "the store publishes signed metadata: to verify it, get its root from the publisher and run "
                        + "'storectl store add \(trust.store) URL --root FILE'")
            }
            return
        }
        fact("Root:", RootFingerprintText.grouped(signature.fingerprint))
        if let version = signature.rootVersion { fact("", "now version \(version)") }
        fact("Verified:", signature.verifiedAt.map(shortTime) ?? "never")
        if let expires = signature.expires { fact("Expires:", shortTime(expires)) }
        fact(
            "Limits:",
            "if no newer state of the store can be verified, warns after \(span(trust.warnAfter)), and installs nothing "
                + "from it after \(span(trust.refuseAfter))")
        var roles = Table([
            .identifier(title: "ROLE"), .init(title: "VERSION", right: true, omission: 0),
            .init(title: "EXPIRES", omission: 1),
            .init(title: "SIGNATURES"), .init(title: "KEYS", flexible: true),
        ])
        for role in trust.roles {
            roles.add(
                role.role, role.version.map { "\($0)" } ?? "none", role.expires.map(shortTime) ?? "none",
                "\(role.threshold) of \(role.keys.count)", keys(role.keys))
        }
        table(roles)
        if !trust.publishers.isEmpty {
            var publishers = Table([
                .identifier(title: "PUBLISHER"), .init(title: "PRODUCTS"), .init(title: "SIGNATURES"),
                .init(title: "KEYS", flexible: true),
            ])
            for publisher in trust.publishers {
                publishers.add(
                    publisher.name, publisher.identifierPrefix + "*",
                    "\(publisher.threshold) of \(publisher.keys.count)", keys(publisher.keys))
            }
            table(publishers)
        }
        for text in signature.warnings { warning(text) }
        if let refusal = trust.refusal { warning("nothing is installed or updated from it: \(refusal.message)") }
    }

    /// Prints a value behind its label, wrapped at words beneath itself on a terminal.
    private func fact(_ label: String, _ value: String) {
        paragraph(label.padded(to: 11) + value, indentation: 11)
    }

    private func keys(_ keys: [StoreTrustReport.Key]) -> String {
        keys.map { "\($0.scheme) \($0.id.prefix(16))" }.joined(separator: ", ")
    }

    /// Returns a number of seconds in the largest unit in which it is a whole number.
    private func span(_ seconds: Int) -> String {
        for (unit, size) in [("day", 86_400), ("hour", 3_600), ("minute", 60)] where seconds % size == 0 {
            return counted(seconds / size, unit)
        }
        return counted(seconds, "second")
    }
}
