import Glibc
import StoreCLinux
public import StoreModel

/// A pipe between this process and another one, whose ends no program inherits (pipe(7)).
public enum Pipe {
    /// Creates a pipe, and returns its two ends.
    public static func open() throws(SystemCallError) -> (reader: PipeEnd, writer: PipeEnd) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe2") { clinux_pipe(&ends) }
        return (PipeEnd(adopting: ends[0]), PipeEnd(adopting: ends[1]))
    }
}

/// An end of a ``Pipe``, which is closed when the object is released.
public final class PipeEnd: Sendable {
    public let descriptor: FileDescriptor

    /// Creates the end of a pipe from an open descriptor, which the new object closes when it is released.
    public init(adopting descriptor: Int32) { self.descriptor = FileDescriptor(rawValue: descriptor) }

    deinit { close(descriptor.rawValue) }

    /// Reads what is in the pipe, at most `limit` bytes, and waits while there is nothing; no bytes at its end.
    public func read(limit: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try systemCall("read") { Glibc.read(descriptor.rawValue, &bytes, limit) }
        return Array(bytes.prefix(count))
    }
}

extension FileDescriptor {
    /// Waits until one of several descriptors can be read or its other end is closed, at most for a duration.
    ///
    /// - Returns: the descriptors for which that is so; none after the duration.
    public static func awaitReadable(
        _ descriptors: [FileDescriptor], atMost duration: Duration
    ) throws(SystemCallError) -> [FileDescriptor] {
        var files = descriptors.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        let (seconds, attoseconds) = duration.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        try systemCall("poll") { poll(&files, nfds_t(files.count), max(0, milliseconds)) }
        return zip(descriptors, files).compactMap { $1.revents == 0 ? nil : $0 }
    }
}
