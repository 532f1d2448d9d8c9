import FoundationEssentials

extension StoreClient {
    /// The path of the daemon's program: beside the one that runs, else on `PATH`.
    ///
    /// - Throws: ``StoreError`` (`daemon.not-started`) where it is in neither place.
    public static func daemonProgram() throws -> String {
        try DaemonProgram.find(nil, environment: ProcessInfo.processInfo.environment).path
    }
}
