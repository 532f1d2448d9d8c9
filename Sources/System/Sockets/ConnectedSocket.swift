public import StoreModel

/// A connected stream socket that a listening socket has accepted.
public protocol ConnectedSocket: Sendable {
    /// The id of the user at the other end of the connection; `nil` if it can't be determined.
    ///
    /// Determined by the kernel, so that the other end can't forge it.
    var peerUser: UInt32? { get }

    /// The connected socket's file descriptor; not to be used after ``releaseDescriptor()``.
    var descriptor: Int32 { get }

    /// Whether the other end can send open files, which ``peekFiles()`` returns.
    var carriesFiles: Bool { get }

    /// Returns the open files that came with the first unread byte of the connected socket; `nil` without such a byte.
    ///
    /// Does not wait.
    ///
    /// - Throws: `EMSGSIZE` for too many files.
    func peekFiles() throws(SystemCallError) -> [OpenFile]?

    /// Hands the connected socket's descriptor over to the caller, who closes it.
    func releaseDescriptor() -> Int32
}

extension UnixSocket: ConnectedSocket {
    public var carriesFiles: Bool { true }
}

extension LoopbackSocket: ConnectedSocket {
    public var carriesFiles: Bool { false }

    public func peekFiles() -> [OpenFile]? { [] }
}
