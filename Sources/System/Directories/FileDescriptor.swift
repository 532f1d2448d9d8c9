import Glibc
public import StoreModel

/// The number by which the process refers to an open file, socket or terminal.
///
/// Releasing the value does not close the descriptor.
public struct FileDescriptor: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let standardInput = FileDescriptor(rawValue: STDIN_FILENO)
    public static let standardOutput = FileDescriptor(rawValue: STDOUT_FILENO)
    public static let standardError = FileDescriptor(rawValue: STDERR_FILENO)

    /// Whether the file descriptor refers to a terminal.
    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns and lines of the terminal; `nil` where the descriptor is no terminal, or its size is not known.
    public var terminalSize: (columns: Int, lines: Int)? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Writes all of the bytes to the descriptor, and waits where the descriptor does not block and has no room.
    public func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        var rest = bytes
        while !rest.isEmpty {
            do throws(SystemCallError) {
                let room = rest
                let written = try systemCall("write") { Glibc.write(rawValue, room.baseAddress, room.count) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } catch {
                guard error.errno == .resourceTemporarilyUnavailable else { throw error }
                var room = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&room, 1, -1)
            }
        }
    }

    /// Writes a text as UTF-8 to the descriptor, and waits where the descriptor does not block and has no room.
    public func writeAll(_ text: String) throws(SystemCallError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(SystemCallError) in try writeAll(UnsafeRawBufferPointer(bytes)) }
        }
        try result.get()
    }

    /// Sets FD_CLOEXEC on the descriptor, so that programs that this process starts do not inherit it.
    public func setCloseOnExec() { _ = fcntl(rawValue, F_SETFD, FD_CLOEXEC) }

    /// Sets O_NONBLOCK on the descriptor: calls that would wait fail with `EAGAIN` instead.
    public func setNonblocking() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_NONBLOCK) }

    /// Sets O_APPEND on the descriptor: every write goes to the file's end, whatever other processes write to the file.
    public func setAppending() { _ = fcntl(rawValue, F_SETFL, fcntl(rawValue, F_GETFL) | O_APPEND) }

    /// Writes what the C library has buffered for all of its output streams, standard output among them.
    public static func flushStreams() { fflush(nil) }
}
