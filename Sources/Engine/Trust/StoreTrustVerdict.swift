import FoundationEssentials
import StoreModel
import StoreSettings

/// Whether products of a signed store may be installed now, by its last verification.
///
/// It never affects what is installed.
struct StoreTrustVerdict: Sendable {
    /// Why nothing is installed or updated from the store; `nil` if that is possible.
    let refusal: ErrorReport?
    /// Warnings for display about the store's trust.
    let warnings: [String]
    /// The age of the last verification; `nil` if there was none.
    let age: Duration?

    /// The maximum ages of the last verification.
    struct Limits: Sendable {
        /// The age from which a warning is shown.
        let warn: Duration
        /// The age from which nothing is installed.
        let refuse: Duration

        init(_ settings: Settings) { (warn, refuse) = (settings.trustWarnAfter, settings.trustRefuseAfter) }
    }

    /// Judges the last verification of a store.
    ///
    /// - Parameters:
    ///   - error: why the last refresh failed; `nil` if it succeeded.
    ///   - now: the later of the current time and the latest time that was seen.
    init(
        store: String, record: StoreTrustState.Record, error: ErrorReport?, now: Date, limits: Limits
    ) {
        guard let verifiedAt = record.verifiedAt else {
            self.init(error ?? ErrorReport(StoreError(.trustNeverVerified, ["store": store])), record.warnings, nil)
            return
        }
        let age = Duration.seconds(max(0, now.timeIntervalSince(verifiedAt)))
        let date = verifiedAt.representable.formatted(.iso8601)
        var warnings = record.warnings.map {
            EnglishText.filled("store '{store}': {warning}", ["store": store, "warning": $0])
        }
        if age > limits.warn {
            warnings.append(
                EnglishText.filled("the store '{store}' was last verified on {date}", ["store": store, "date": date]))
        }
        var refusal: ErrorReport?
        if let error, error.isTrustFailure {
            refusal = error
        } else if let expires = record.expires, expires <= now {
            refusal = ErrorReport(
                StoreError(
                    .trustStoredExpired,
                    ["store": store, "date": "\(expires.representable.formatted(.iso8601))"]))
        } else if age > limits.refuse {
            refusal = ErrorReport(
                StoreError(.trustTooOld, ["store": store, "date": "\(date)", "limit": limits.refuse]))
        }
        self.init(refusal, warnings, age)
    }

    private init(_ refusal: ErrorReport?, _ warnings: [String], _ age: Duration?) {
        (self.refusal, self.warnings, self.age) = (refusal, warnings, age)
    }
}

extension CodedError {
    /// Whether the error says that something of a signed store did not verify, unlike one of the network.
    var isTrustFailure: Bool { code.rawValue.hasPrefix("trust.") || code == .catalogueHashMismatch }
}
