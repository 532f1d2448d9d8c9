import Dispatch
import Glibc

/// The socket calls of an ``Origin``.
enum OriginSocket {
    /// Linux's POLLRDHUP, which Swift's C library overlay does not export: the peer has closed the connection.
    static let hangUp: Int16 = 0x2000

    struct Failure: Error {
        let call: String
        let number = errno
    }

    static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let (listener, port) = try bind()
        try listen(listener, backlog)
        return (listener, port)
    }

    static func listen(_ listener: Int32, _ backlog: Int32 = 128) throws {
        guard Glibc.listen(listener, backlog) == 0 else { throw Failure(call: "listen") }
    }

    static func bind() throws -> (descriptor: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Failure(call: "socket") }
        // A port that the system chose is released when its socket stops listening; an explicitly requested one is
        // not. The first socket finds a free port, and the second requests it while the first still holds it.
        let finder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard finder >= 0 else { throw Failure(call: "socket") }
        defer { close(finder) }
        var yes: Int32 = 1
        for one in [finder, listener] {
            setsockopt(one, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = loopback(port: 0)
        guard bind(finder, &address) == 0 else { throw Failure(call: "bind") }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutableBytes(of: &address) {
            getsockname(finder, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard bind(listener, &address) == 0 else { throw Failure(call: "bind") }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Fills the backlog of a listening socket.
    ///
    /// A backlog of length 0 accepts one connection or a few; later attempts hang.
    static func fill(port: UInt16) -> [Int32] {
        (0..<8).map { _ in
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = loopback(port: port)
            _ = withUnsafeBytes(of: &address) {
                connect(filler, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), 16)
            }
            return filler
        }
    }

    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
        withUnsafeBytes(of: &address) {
            Glibc.bind(
                socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<Address>.size))
        }
    }
}

/// A port of 127.0.0.1 that refuses connections as long as this object lives: it is bound, but nothing listens.
public final class ClosedPort: Sendable {
    public let port: UInt16
    private let descriptor: Int32

    public init() throws { (descriptor, port) = try OriginSocket.bind() }
    deinit { close(descriptor) }
}

/// A port of 127.0.0.1 that neither accepts nor refuses connections as long as this object lives: its backlog is full.
public final class UnresponsivePort: Sendable {
    public let port: UInt16
    private let descriptors: [Int32]

    public init() throws {
        let (listener, port) = try OriginSocket.listen(backlog: 0)
        self.port = port
        descriptors = [listener] + OriginSocket.fill(port: port)
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}

/// System threads for connections, which block and must not occupy the few threads of Swift's concurrency pool.
final class OriginThreads: Sendable {
    private let group = DispatchGroup()

    func start(_ body: @escaping @Sendable () -> Void) {
        group.enter()
        OriginThreads.start { [group] in
            body()
            group.leave()
        }
    }

    /// Waits until all threads have ended.
    func wait() { group.wait() }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let number = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(number == 0, "no thread for the test's server: \(String(cString: strerror(number)))")
        pthread_detach(thread)
    }
}
