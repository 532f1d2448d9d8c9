import Foundation
import Glibc

/// Reads an event stream of a daemon, without the client's code.
final class WireEvents {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    /// Sends the request.
    ///
    /// - Parameter limit: the seconds after which a read fails; `nil` for no limit.
    init(_ resource: String, at path: String, limit: Int? = nil) throws {
        descriptor = DaemonWire.connect(path)
        guard descriptor >= 0, DaemonWire.send("GET \(resource) HTTP/1.1\r\nHost: stored\r\n\r\n", to: descriptor)
        else {
            throw POSIXError(.ECONNREFUSED)
        }
        guard let limit else { return }
        var time = timeval(tv_sec: limit, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Waits for the beginning of the response, and returns its status; to be called before ``next()``.
    func status() throws -> Int {
        guard let line = line(), let status = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw POSIXError(.ECONNRESET)
        }
        return status
    }

    /// Waits for the next event and returns its JSON; `nil` at the end of the stream.
    func next() throws -> String? {
        while let line = line() {
            if line.starts(with: "data: ") { return String(line.dropFirst(6)) }
        }
        return nil
    }

    private func line() -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}
