public import StoreSystem

/// Whether untrusted bytes are read in confined processes, and which parts of the confinement this kernel lacks.
public struct WorkerAvailability: Sendable {
    /// The path of the program; `nil` if none was found.
    public let program: String?
    /// The parts of the confinement that are not in effect, each with the reason.
    public let missing: [ConfinementReport.Part: String]
    /// Why no worker can be started, for display; `nil` if one can.
    let failure: String?

    init(program: String?, missing: [ConfinementReport.Part: String], failure: String?) {
        self.program = program
        self.missing = missing
        self.failure = failure
    }

    /// Why no worker is used, for display; `nil` if workers are used.
    public var obstacle: String? {
        if let failure { return failure }
        guard !ConfinementReport(missing: missing).isSufficient else { return nil }
        let reasons = missing.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.restricted) (\($0.value))" }
        return "this kernel can't restrict " + reasons.joined(separator: ", ")
    }

    /// The parts of the confinement that are in effect; none if no worker can be started.
    public var inEffect: [ConfinementReport.Part] {
        failure == nil ? ConfinementReport.Part.allCases.filter { missing[$0] == nil } : []
    }
}
