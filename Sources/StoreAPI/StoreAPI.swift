/// The constants of the daemon's HTTP interface.
public enum StoreAPI {
    /// The version of the HTTP interface; increased by every change that is incompatible with clients of the previous
    /// version.
    public static let version = 1
    /// The name of the header in which every response of the daemon carries ``version``.
    public static let versionHeader = "Storectl-Api-Version"
    /// The version of the programs of this package, which are released together.
    public static let programVersion = "0.1.0"
}
