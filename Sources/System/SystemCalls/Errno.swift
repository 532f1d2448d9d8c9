import Glibc

/// An error number of the operating system (errno(3)).
///
/// The constants have the names that swift-system gives them.
public struct Errno: RawRepresentable, Error, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The error number of the calling thread's last failed system call.
    static var current: Errno { Errno(rawValue: errno) }

    /// The system's English text for the number, such as "No such file or directory".
    public var description: String { String(cString: strerror(rawValue)) }
}

extension Errno {
    /// EPERM
    public static let notPermitted = Errno(rawValue: EPERM)
    /// ENOENT
    public static let noSuchFileOrDirectory = Errno(rawValue: ENOENT)
    /// EINTR
    public static let interrupted = Errno(rawValue: EINTR)
    /// EIO
    public static let ioError = Errno(rawValue: EIO)
    /// ENXIO
    public static let noSuchAddressOrDevice = Errno(rawValue: ENXIO)
    /// EAGAIN, which is EWOULDBLOCK on Linux
    public static let resourceTemporarilyUnavailable = Errno(rawValue: EAGAIN)
    /// ENOMEM
    public static let noMemory = Errno(rawValue: ENOMEM)
    /// EACCES
    public static let permissionDenied = Errno(rawValue: EACCES)
    /// EEXIST
    public static let fileExists = Errno(rawValue: EEXIST)
    /// EXDEV
    public static let improperLink = Errno(rawValue: EXDEV)
    /// ENOTDIR
    public static let notDirectory = Errno(rawValue: ENOTDIR)
    /// EISDIR
    public static let isDirectory = Errno(rawValue: EISDIR)
    /// EINVAL
    public static let invalidArgument = Errno(rawValue: EINVAL)
    /// ENFILE
    public static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
    /// EMFILE
    public static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    /// ENOSPC
    public static let noSpace = Errno(rawValue: ENOSPC)
    /// EROFS
    public static let readOnlyFileSystem = Errno(rawValue: EROFS)
    /// EMLINK
    public static let tooManyLinks = Errno(rawValue: EMLINK)
    /// EPIPE
    public static let brokenPipe = Errno(rawValue: EPIPE)
    /// ENAMETOOLONG
    public static let fileNameTooLong = Errno(rawValue: ENAMETOOLONG)
    /// ENOSYS
    public static let noFunction = Errno(rawValue: ENOSYS)
    /// ENOTEMPTY
    public static let directoryNotEmpty = Errno(rawValue: ENOTEMPTY)
    /// ELOOP
    public static let tooManySymbolicLinkLevels = Errno(rawValue: ELOOP)
    /// EDQUOT
    public static let diskQuotaExceeded = Errno(rawValue: EDQUOT)
    /// EOPNOTSUPP
    public static let notSupported = Errno(rawValue: EOPNOTSUPP)
    /// EADDRINUSE
    public static let addressInUse = Errno(rawValue: EADDRINUSE)
    /// ENETDOWN
    public static let networkDown = Errno(rawValue: ENETDOWN)
    /// ENETUNREACH
    public static let networkUnreachable = Errno(rawValue: ENETUNREACH)
    /// ECONNABORTED
    public static let connectionAbort = Errno(rawValue: ECONNABORTED)
    /// ECONNRESET
    public static let connectionReset = Errno(rawValue: ECONNRESET)
    /// ENOBUFS
    public static let noBufferSpace = Errno(rawValue: ENOBUFS)
    /// ECONNREFUSED
    public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
}
