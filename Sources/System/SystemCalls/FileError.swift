public import StoreModel

/// The error of an operation on files: a ``StoreError`` whose cause is the failed system call.
public typealias FileError = StoreError

extension StoreError {
    /// Creates the error of a failed system call on a file; its code says what the caller can do about the reason.
    public init(_ error: SystemCallError, path: String) {
        let template: ErrorTemplate =
            switch error.errno {
            case .noSpace, .diskQuotaExceeded: .diskFull
            case .permissionDenied, .notPermitted, .readOnlyFileSystem: .fileDenied
            case .noSuchFileOrDirectory: .fileMissing
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpenFiles
            case .improperLink, .tooManySymbolicLinkLevels: .fileEscapes
            default: .fileFailed
            }
        self.init(template, ["path": ErrorArgument.path(path), "call": error.function], cause: .system(error))
    }

    init(call: String, path: String, errno: Errno) {
        self.init(SystemCallError(function: call, errno: errno), path: path)
    }

    /// The error number of the system call that led to this error; `nil` where none did.
    public var errno: Errno? { systemErrorNumber.map(Errno.init(rawValue:)) }

    /// Whether the reason is that the new name is taken.
    public var isExisting: Bool { errno == .fileExists || errno == .directoryNotEmpty }
    /// Whether the reason is that the file system lacks the operation.
    public var isUnsupported: Bool { errno == .invalidArgument || errno == .noFunction || errno == .notSupported }
    /// Whether the reason is that the file does not exist.
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }
    /// Whether the reason lies with this process at this moment and not with the file: too many open files, or no memory.
    public var isPassing: Bool {
        errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem || errno == .noMemory
    }
}
