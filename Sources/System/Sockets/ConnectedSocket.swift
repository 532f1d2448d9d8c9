/// A connected stream socket that a listening socket has accepted.
public protocol ConnectedSocket: Sendable {
    /// The id of the user at the other end of the connection; `nil` if it can't be determined.
    ///
    /// Determined by the kernel, so that the other end can't forge it.
    var peerUser: UInt32? { get }

    /// Hands the connected socket's descriptor over to the caller, who closes it.
    func releaseDescriptor() -> Int32
}

extension UnixSocket: ConnectedSocket {}
