public import StoreModel

/// A call to the system that failed, with what it was about.
public struct FileError: CodedError {
    public let code: ErrorCode
    public let message: String
    /// The system's reason; `nil` where there is none.
    public let errno: Errno?

    public init(_ code: ErrorCode, _ message: String, errno: Errno? = nil) {
        self.code = code
        self.message = message
        self.errno = errno
    }

    /// One of that name is there already.
    public var isExisting: Bool { errno == .fileExists || errno == .directoryNotEmpty }
    /// The file system can't do what was asked, whatever the names.
    public var isUnsupported: Bool { errno == .invalidArgument || errno == .noFunction || errno == .notSupported }
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }
    /// Whether the reason lies with this process at this moment, and says nothing of the file: too many are open, or
    /// there is no memory.
    public var isPassing: Bool {
        errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem || errno == .noMemory
    }

    /// The code is chosen by what the caller can do about the reason.
    init(_ error: SystemCallError, path: String) {
        let (call, reason) = (error.function, error.errno)
        errno = reason
        switch reason {
        case .noSpace, .diskQuotaExceeded:
            code = .noSpace
            message = "No space left for '\(path)' (\(reason)). Free some and try again."
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            code = .fileDenied
            message = "'\(path)' can't be used: \(reason) (\(call)). Check its owner and permissions."
        case .noSuchFileOrDirectory:
            code = .fileMissing
            message = "'\(path)' does not exist."
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            code = .tooManyFiles
            message = "'\(path)' can't be opened: \(reason). Raise the limit of open files (ulimit -n)."
        case .improperLink, .tooManySymbolicLinkLevels:
            code = .fileEscapes
            message = "'\(path)' leads out of its folder or through a link, and is not followed."
        default:
            code = .fileFailed
            message = "'\(path)': \(reason) (\(call))."
        }
    }

    init(call: String, path: String, errno: Errno) {
        self.init(SystemCallError(function: call, errno: errno), path: path)
    }
}

extension ErrorCode {
    public static let noSpace = ErrorCode("space.disk-full", .space)
    public static let fileDenied = ErrorCode("file.denied", .failed)
    public static let fileMissing = ErrorCode("file.missing", .failed)
    public static let tooManyFiles = ErrorCode("file.too-many-open", .failed)
    public static let fileEscapes = ErrorCode("file.escapes", .refused)
    public static let fileFailed = ErrorCode("file.failed", .failed)
}
