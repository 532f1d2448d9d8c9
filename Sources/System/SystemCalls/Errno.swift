import Glibc

/// An error number of the operating system, such as `ENOENT` (errno(3)).
///
/// The constants have the names that swift-system gives them.
public struct Errno: RawRepresentable, Error, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The error number of the calling thread's last failed system call.
    static var current: Errno { Errno(rawValue: errno) }

    /// The system's English text for the error number, such as "No such file or directory".
    public var description: String { String(cString: strerror(rawValue)) }
}

extension Errno {
    /// Operation not permitted (`EPERM`).
    public static let notPermitted = Errno(rawValue: EPERM)
    /// No such file or directory (`ENOENT`).
    public static let noSuchFileOrDirectory = Errno(rawValue: ENOENT)
    /// Interrupted system call (`EINTR`).
    public static let interrupted = Errno(rawValue: EINTR)
    /// Input/output error (`EIO`).
    public static let ioError = Errno(rawValue: EIO)
    /// No such device or address (`ENXIO`).
    public static let noSuchAddressOrDevice = Errno(rawValue: ENXIO)
    /// Bad file descriptor (`EBADF`).
    public static let badFileDescriptor = Errno(rawValue: EBADF)
    /// Resource temporarily unavailable (`EAGAIN`, which is EWOULDBLOCK on Linux).
    public static let resourceTemporarilyUnavailable = Errno(rawValue: EAGAIN)
    /// Cannot allocate memory (`ENOMEM`).
    public static let noMemory = Errno(rawValue: ENOMEM)
    /// Permission denied (`EACCES`).
    public static let permissionDenied = Errno(rawValue: EACCES)
    /// File exists (`EEXIST`).
    public static let fileExists = Errno(rawValue: EEXIST)
    /// Invalid cross-device link (`EXDEV`).
    public static let improperLink = Errno(rawValue: EXDEV)
    /// Not a directory (`ENOTDIR`).
    public static let notDirectory = Errno(rawValue: ENOTDIR)
    /// Is a directory (`EISDIR`).
    public static let isDirectory = Errno(rawValue: EISDIR)
    /// Invalid argument (`EINVAL`).
    public static let invalidArgument = Errno(rawValue: EINVAL)
    /// Too many open files in system (`ENFILE`).
    public static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
    /// Too many open files (`EMFILE`).
    public static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    /// No space left on device (`ENOSPC`).
    public static let noSpace = Errno(rawValue: ENOSPC)
    /// Read-only file system (`EROFS`).
    public static let readOnlyFileSystem = Errno(rawValue: EROFS)
    /// Too many links (`EMLINK`).
    public static let tooManyLinks = Errno(rawValue: EMLINK)
    /// Broken pipe (`EPIPE`).
    public static let brokenPipe = Errno(rawValue: EPIPE)
    /// File name too long (`ENAMETOOLONG`).
    public static let fileNameTooLong = Errno(rawValue: ENAMETOOLONG)
    /// No locks available (`ENOLCK`).
    public static let noLocks = Errno(rawValue: ENOLCK)
    /// The kernel does not have the system call (`ENOSYS`).
    public static let noFunction = Errno(rawValue: ENOSYS)
    /// Directory not empty (`ENOTEMPTY`).
    public static let directoryNotEmpty = Errno(rawValue: ENOTEMPTY)
    /// Too many levels of symbolic links (`ELOOP`).
    public static let tooManySymbolicLinkLevels = Errno(rawValue: ELOOP)
    /// Disk quota exceeded (`EDQUOT`).
    public static let diskQuotaExceeded = Errno(rawValue: EDQUOT)
    /// Operation not supported (`EOPNOTSUPP`).
    public static let notSupported = Errno(rawValue: EOPNOTSUPP)
    /// Address already in use (`EADDRINUSE`).
    public static let addressInUse = Errno(rawValue: EADDRINUSE)
    /// Cannot assign requested address (`EADDRNOTAVAIL`).
    public static let addressNotAvailable = Errno(rawValue: EADDRNOTAVAIL)
    /// Address family not supported by protocol (`EAFNOSUPPORT`).
    public static let addressFamilyNotSupported = Errno(rawValue: EAFNOSUPPORT)
    /// Network is down (`ENETDOWN`).
    public static let networkDown = Errno(rawValue: ENETDOWN)
    /// Network is unreachable (`ENETUNREACH`).
    public static let networkUnreachable = Errno(rawValue: ENETUNREACH)
    /// Software caused connection abort (`ECONNABORTED`).
    public static let connectionAbort = Errno(rawValue: ECONNABORTED)
    /// Connection reset by peer (`ECONNRESET`).
    public static let connectionReset = Errno(rawValue: ECONNRESET)
    /// No buffer space available (`ENOBUFS`).
    public static let noBufferSpace = Errno(rawValue: ENOBUFS)
    /// Connection refused (`ECONNREFUSED`).
    public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
}
