import Glibc
import StoreCLinux
public import StoreModel

/// A call to the system that failed, with what it was about.
public struct FileError: CodedError {
    public let code: ErrorCode
    public let message: String
    /// The system's number for the reason (`errno`), 0 where there is none.
    public let number: Int32

    public init(_ code: ErrorCode, _ message: String, number: Int32 = 0) {
        self.code = code
        self.message = message
        self.number = number
    }

    /// One of that name is there already.
    public var isExisting: Bool { number == EEXIST || number == ENOTEMPTY }
    /// The file system can't do what was asked, whatever the names.
    public var isUnsupported: Bool { number == EINVAL || number == ENOSYS || number == EOPNOTSUPP }
    public var isMissing: Bool { number == ENOENT }
    /// Whether the reason lies with this process at this moment, and says nothing of the file: too many are open, or
    /// there is no memory.
    public var isPassing: Bool { [EMFILE, ENFILE, ENOMEM].contains(number) }

    /// The code is chosen by what the caller can do about the reason.
    init(call: String, path: String, number: Int32) {
        let reason = String(cString: strerror(number))
        self.number = number
        switch number {
        case ENOSPC, EDQUOT:
            code = .noSpace
            message = "No space left for '\(path)' (\(reason)). Free some and try again."
        case EACCES, EPERM, EROFS:
            code = .fileDenied
            message = "'\(path)' can't be used: \(reason) (\(call)). Check its owner and permissions."
        case ENOENT:
            code = .fileMissing
            message = "'\(path)' does not exist."
        case EMFILE, ENFILE:
            code = .tooManyFiles
            message = "'\(path)' can't be opened: \(reason). Raise the limit of open files (ulimit -n)."
        case EXDEV, ELOOP:
            code = .fileEscapes
            message = "'\(path)' leads out of its folder or through a link, and is not followed."
        default:
            code = .fileFailed
            message = "'\(path)': \(reason) (\(call))."
        }
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

/// Runs a system call until it is not interrupted by a signal, and throws with the call's name if it fails.
@discardableResult
func systemCall<Result: SignedInteger>(
    _ name: String, on path: @autoclosure () -> String, _ body: () -> Result
) throws(FileError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let number = errno
        if number != EINTR { throw FileError(call: name, path: path(), number: number) }
    }
}
