public import StoreModel

extension StoreError {
    /// Creates the error of a failed system call on a file; the call's error number determines the error code.
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
        self.init(template, ["path": ErrorArgument.path(path)], cause: .system(error))
    }

    init(call: String, path: String, errno: Errno) {
        self.init(SystemCallError(function: call, errno: errno), path: path)
    }

    /// The error number (`errno`) of the system call that led to this error; `nil` where none did.
    public var errno: Errno? { systemErrorNumber.map(Errno.init(rawValue:)) }

    /// Whether the operation failed because the new name of a file already exists.
    public var isExisting: Bool { errno == .fileExists || errno == .directoryNotEmpty }
    /// Whether the operation on a file failed because the file system does not support it.
    public var isUnsupported: Bool { errno == .invalidArgument || errno == .noFunction || errno == .notSupported }
    /// Whether the operation failed because the file does not exist.
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }
    /// Whether the error is temporary and lies with this process, not the file: too many open files, or no memory.
    public var isPassing: Bool {
        errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem || errno == .noMemory
    }
    /// Whether the error says nothing about a file's content: a temporary one of this process, or of the disk.
    ///
    /// Such a file must neither be taken for a missing nor for an invalid one where that leads to its removal.
    public var isInconclusive: Bool { isPassing || errno == .ioError }
}
