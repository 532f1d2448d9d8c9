import Glibc
public import StoreModel

/// The address of a unix socket (unix(7)); the path may be longer than the 107 bytes that the system allows.
public struct UnixSocketAddress: Sendable {
    /// The path of the unix socket in the form that is passed to the system, at most ``longestPath`` bytes.
    let path: String
    /// The open directory through which ``path`` leads to the unix socket; `nil` for a short path.
    ///
    /// It is held open while the address exists.
    private let directory: Directory?

    /// The maximum length in bytes of a path in a unix socket's address.
    ///
    /// `sun_path` has 108 bytes, one of them for the terminating 0.
    static let longestPath = 107

    /// Creates the address of a unix socket from the socket's path.
    ///
    /// For a path that is too long, the directory is opened and addressed through its descriptor.
    ///
    /// - Throws: `file.missing` where the directory of a long path does not exist, and other ``StoreError``s;
    ///   `file.failed` where the socket's name alone is too long.
    public init(path: String) throws(StoreError) {
        guard path.utf8.count > Self.longestPath else {
            self.init(path, through: nil)
            return
        }
        let (directory, name) = FilePaths.split(path)
        try self.init(name, in: try Directory.open(directory))
    }

    /// Creates the address of a unix socket in an open directory, also where the directory has been renamed.
    ///
    /// - Throws: `file.failed` where the name is too long.
    public init(_ name: String, in directory: Directory) throws(StoreError) {
        let path = directory.shortPath + "/" + name
        guard path.utf8.count <= Self.longestPath else {
            throw StoreError(call: "connect", path: directory.path(of: name), errno: .fileNameTooLong)
        }
        self.init(path, through: directory)
    }

    private init(_ path: String, through directory: Directory?) {
        self.path = path
        self.directory = directory
    }

    /// Calls `body` with the unix socket's address in the form that bind(2) and connect(2) require.
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
