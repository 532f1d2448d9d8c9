public import StoreModel
import StoreSystem

/// What can go wrong between the daemon's door and the engine: the home can't be had, or a request makes no sense.
public struct ServerError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A folder or file of the home that could not be used: whatever the system's reason, the daemon can't work there.
    init(homePath path: String, _ error: FileError) {
        // A full disk is told as what it is: another home would not help.
        if error.code == .noSpace {
            self.init(.noSpace, error.message)
        } else {
            self.init(
                .homeUnwritable,
                "The home folder '\(path)' can't be written. \(error.message) Put it right, or name another with --home."
            )
        }
    }
}

extension ErrorCode {
    /// Another daemon works on this home.
    public static let daemonRunning = ErrorCode("daemon.running", .conflict)
    /// A folder of the home can't be made or written.
    public static let homeUnwritable = ErrorCode("home.unwritable", .daemon)
    /// A folder of the home belongs to another user.
    public static let homeForeign = ErrorCode("home.foreign", .daemon)
    /// Others may write to a folder of the home.
    public static let homeOpen = ErrorCode("home.open", .daemon)
    /// The socket can't be made, or what systemd handed over is not one to listen on.
    public static let socketFailed = ErrorCode("socket.failed", .daemon)
    /// The address that a site is to be served at can't be had.
    public static let siteAddress = ErrorCode("site.address", .conflict)
    /// A request that can't be understood: its JSON, an escape in its path, a parameter.
    public static let requestMalformed = ErrorCode("request.malformed", .usage)
    /// A request's body has more bytes than are read.
    public static let requestTooLarge = ErrorCode("request.too-large", .usage)
    /// A request's body is said to be something else than JSON.
    public static let requestMediaType = ErrorCode("request.media-type", .usage)
    /// The resource has no such method.
    public static let methodUnknown = ErrorCode("request.method", .usage)
    /// There is no such resource.
    public static let resourceUnknown = ErrorCode("request.path", .notFound)
}
