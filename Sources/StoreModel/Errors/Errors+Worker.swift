extension ErrorCode {
    /// The process that reads a pack ended without a result.
    public static let workerCrashed = ErrorCode("worker.crashed", .refused)
    /// The process that reads a pack needed more time than `worker.timeout`, and was ended.
    public static let workerTimeout = ErrorCode("worker.timeout", .refused)
    /// The process that reads a pack needed more memory than `worker.maximumMemory`, and was ended.
    public static let workerMemory = ErrorCode("worker.memory", .refused)
    /// The process that reads a pack left something in the pack's directory that does not belong there.
    public static let workerBadOutput = ErrorCode("worker.bad-output", .refused)
    /// Packs are not read in a confined process, which the setting `worker.required` demands.
    public static let workerUnavailable = ErrorCode("worker.unavailable", .failed)
}

extension ErrorTemplate {
    public static let workerCrashed = ErrorTemplate(
        .workerCrashed, "the process that reads the pack ended unexpectedly: {reason}",
        hint: "try again; if it happens again, the pack may be made to attack the program: don't install it")
    public static let workerTimeout = ErrorTemplate(
        .workerTimeout, "reading the pack took longer than {limit}",
        hint: "try again, or raise the setting worker.timeout if the pack is very large")
    public static let workerMemory = ErrorTemplate(
        .workerMemory, "reading the pack took more than {limit} of memory",
        hint: "raise the setting worker.maximumMemory if the pack is very large")
    public static let workerBadOutput = ErrorTemplate(
        .workerBadOutput, "the process that reads the pack wrote '{path}', which is not allowed: {reason}",
        hint: "the pack may be made to attack the program: don't install it")
    public static let workerBadName = ErrorTemplate(
        .workerBadOutput, variant: "name",
        "the process that reads the pack wrote '{path}', which is not allowed: {cause}",
        hint: "the pack may be made to attack the program: don't install it")
    public static let workerUnavailable = ErrorTemplate(
        .workerUnavailable, "packs can't be read in a confined process: {reason}",
        hint: "see 'storectl daemon status'; to read packs in the daemon itself, set worker.required to false")
    /// A context: the error of a process that read a pack, whose message is complete.
    public static let workerReport = ErrorTemplate(context: "worker-report", "{cause}")
}
