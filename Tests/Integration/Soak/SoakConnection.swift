import Foundation
import Glibc
import StoreModel

/// A connection for consecutive requests, without the client's code.
///
/// It must be used by one thread only.
final class SoakConnection {
    struct Answer {
        let status: Int
        let body: Data
        let isProblem: Bool

        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null }
    }

    struct Broken: Error, CustomStringConvertible { let description: String }

    private let descriptor: Int32
    private var bytes = Data()

    init(_ socket: String) throws {
        descriptor = DaemonWire.connect(socket)
        guard descriptor >= 0 else { throw Broken(description: "nothing listens: \(String(cString: strerror(errno)))") }
        // A daemon that hangs fails the test, and does not hang it.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func ask(_ method: String, _ path: String, _ body: String? = nil) throws -> Answer {
        let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        guard
            DaemonWire.send(
                "\(method) \(path) HTTP/1.1\r\nHost: stored\r\n\(length)\r\n\(body ?? "")", to: descriptor)
        else { throw Broken(description: "\(method) \(path) could not be asked") }
        let end = Data("\r\n\r\n".utf8)
        while bytes.range(of: end) == nil { try receive(method, path) }
        let head = bytes.range(of: end)!
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        bytes = Data(bytes[head.upperBound...])
        let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        let fields = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstIndex(of: ":").map { (line[..<$0], line[$0...].dropFirst().drop { $0 == " " }) }
            }, uniquingKeysWith: { first, _ in first })
        let count = method == "HEAD" ? 0 : Int(fields["content-length"] ?? "0") ?? 0
        while bytes.count < count { try receive(method, path) }
        defer { bytes = Data(bytes.dropFirst(count)) }
        return Answer(
            status: status, body: Data(bytes.prefix(count)),
            isProblem: fields["content-type"] == "application/problem+json")
    }

    private func receive(_ method: String, _ path: String) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw Broken(description: "\(method) \(path) got no whole answer: \(String(cString: strerror(errno)))")
        }
        bytes += buffer[..<count]
    }
}
