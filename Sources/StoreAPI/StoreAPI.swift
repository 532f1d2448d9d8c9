/// A namespace for the constants of the daemon's HTTP interface.
public enum StoreAPI {
    /// The version number of the daemon's HTTP interface.
    ///
    /// It is increased by every change that is incompatible with clients of the previous version.
    public static let version = 1
    /// The name of the HTTP header field in which every response of the daemon carries ``version``.
    public static let versionHeader = "Storectl-Api-Version"
    /// The name of the HTTP header field with the name of a client that shows a person how the operations end that it begins.
    ///
    /// The client chooses the name at random, and sends it with the requests that begin operations and the one for events.
    /// The desktop shows no notification of the operations that end while the client follows the events.
    public static let viewerHeader = "Storectl-Viewer"
    /// The version of the programs of this package, which are released together.
    public static let programVersion = "0.1.0"
}
