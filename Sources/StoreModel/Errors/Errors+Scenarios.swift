extension ErrorCode {
    /// No scenario (a scripted test of front-ends) is built in under the requested name or readable as a file.
    public static let scenarioUnknown = ErrorCode("scenario.unknown", .usage)
    /// The script of a scenario (a scripted test of front-ends) is invalid.
    public static let scenarioMalformed = ErrorCode("scenario.malformed", .refused)
    /// The data directory for a scenario (a scripted test of front-ends) is not empty, or can't be created.
    public static let scenarioHome = ErrorCode("scenario.home", .conflict)
    /// The clock of the scenario (a scripted test of front-ends) runs in real time and can't be advanced.
    public static let scenarioClockRuns = ErrorCode("scenario.clock-runs", .conflict)
}

extension ErrorTemplate {
    public static let scenarioUnknown = ErrorTemplate(
        .scenarioUnknown, "no such scenario '{name}' (available: {names})",
        hint: "write the path of a file with a '/' or a '.'")
    public static let scenarioUnreadable = ErrorTemplate(
        .scenarioUnknown, variant: "file", "could not read the scenario '{path}'",
        hint: "name an existing file, or a scenario from 'stored scenarios'")
    public static let scenarioMalformed = ErrorTemplate(.scenarioMalformed, "invalid scenario '{name}': {reason}")
    public static let scenarioArchiveSize = ErrorTemplate(
        .scenarioMalformed, variant: "size", "invalid scenario: the archive of '{product}' {version} {reason}",
        hint: "change the size of the version")
    public static let scenarioHomeNotEmpty = ErrorTemplate(
        .scenarioHome, "a scenario needs an empty home, but '{home}' contains '{entry}'",
        hint: "name an empty or new directory with --home")
    public static let scenarioHomeNotCreated = ErrorTemplate(
        .scenarioHome, variant: "create", "could not create a temporary home in '{path}': {reason}",
        hint: "name a directory with --home")
    public static let scenarioClockRuns = ErrorTemplate(
        .scenarioClockRuns, "the scenario's clock runs in real time and can't be advanced")
}
