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
            when the store was last verified. The store is not contacted. If the last refresh failed, the reason is shown.

            Examples:
              storectl store trust cups
              storectl store trust cups --json
            """)

    @Argument(help: "Name of the store", completion: CompletionCandidates.stores)
    var name: String

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { name }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let trust = try await client.storeTrust(name)
        if console.json {
            console.document(trust)
        } else {
            try await console.show(trust, lastError: client.store(name).error)
        }
        return .done
    }
}

extension Console {
    /// Prints the basis on which a store's catalogue is accepted.
    ///
    /// - Parameter lastError: why the last refresh failed; `nil` where it did not.
    fileprivate func show(_ trust: StoreTrustReport, lastError: ErrorReport?) {
        guard let signature = trust.signature else {
            paragraph(
                messages.text(
                    "{store} is unsigned: its products are those of the server at its address.",
                    ["store": trust.store]))
            if trust.signatureAvailable {
                hint(
                    messages.text(
                        "the store publishes signed metadata: to verify it, get its root from the publisher and run "
                            + "'storectl store add {store} URL --root FILE'", ["store": trust.store]))
            }
            return
        }
        var facts = [(messages.text("Root:"), RootFingerprintText.grouped(signature.fingerprint))]
        if let version = signature.rootVersion {
            facts.append(("", messages.text("now version {version}", ["version": "\(version)"])))
        }
        facts.append((messages.text("Verified:"), signature.verifiedAt.map(shortTime) ?? messages.text("never")))
        if let lastError {
            let failure = messages.text(
                "the last refresh failed: {reason}", ["reason": messages.translation(of: lastError.message)])
            facts.append(("", failure))
        }
        if let expires = signature.expires { facts.append((messages.text("Expires:"), shortTime(expires))) }
        let limits = messages.verificationLimits(warning: trust.warnAfter, refusal: trust.refuseAfter)
        facts.append((messages.text("Limits:"), limits))
        show(facts)
        var roles = Table([
            .identifier(title: messages.text("ROLE")), .init(title: messages.text("VERSION"), right: true, omission: 0),
            .init(title: messages.text("EXPIRES"), omission: 1),
            .init(title: messages.text("SIGNATURES")), .init(title: messages.text("KEYS"), flexible: true),
        ])
        for role in trust.roles {
            roles.add(
                role.role, role.version.map { "\($0)" } ?? messages.text("none"),
                role.expires.map(shortTime) ?? messages.text("none"), signatures(role.threshold, of: role.keys),
                keys(role.keys))
        }
        table(roles)
        if !trust.publishers.isEmpty {
            var publishers = Table([
                .identifier(title: messages.text("PUBLISHER")), .init(title: messages.text("PRODUCTS")),
                .init(title: messages.text("SIGNATURES")),
                .init(title: messages.text("KEYS"), flexible: true),
            ])
            for publisher in trust.publishers {
                publishers.add(
                    publisher.name, publisher.identifierPrefix + "*",
                    signatures(publisher.threshold, of: publisher.keys), keys(publisher.keys))
            }
            table(publishers)
        }
        for text in signature.warnings { warning(text) }
        if let refusal = trust.refusal {
            warning(
                messages.text(
                    "nothing is installed or updated from it: {reason}",
                    ["reason": messages.translation(of: refusal.message)]))
        }
    }

    /// Prints values behind their labels, each wrapped at words beneath itself on a terminal.
    private func show(_ facts: [(label: String, value: String)]) {
        let margin = max(11, (facts.map(\.label.columns).max() ?? 0) + 1)
        for (label, value) in facts { paragraph(label.padded(to: margin) + value, indentation: margin) }
    }

    /// Returns how many signatures of keys are needed.
    private func signatures(_ threshold: Int, of keys: [StoreTrustReport.Key]) -> String {
        messages.text("{threshold} of {number}", ["threshold": "\(threshold)", "number": "\(keys.count)"])
    }

    private func keys(_ keys: [StoreTrustReport.Key]) -> String {
        keys.map { "\($0.scheme) \($0.id.prefix(16))" }.joined(separator: ", ")
    }
}
