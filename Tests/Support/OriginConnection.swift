import Glibc

/// A connection to an ``Origin``: reads requests and responds to them on its own thread until either end closes.
struct OriginConnection {
    private let socket: Int32
    private let shared: OriginShared
    private let number: Int
    private let sender: OriginSender

    init(_ socket: Int32, _ shared: OriginShared) {
        self.socket = socket
        self.shared = shared
        number = shared.read { $0.accepted }
        sender = OriginSender(socket, shared)
    }

    func run() {
        switch shared.connected() {
        case .close: return sender.reset()
        case .raw(let bytes):
            // Closing a socket with unread data resets the connection, and the client could lose the response.
            _ = sender.send(bytes)
            shutdown(socket, Int32(SHUT_WR))
            var unread: [UInt8] = []
            while readRequest(&unread) != nil {}
            return
        case .stallBeforeAnswer: guard sender.stall() else { return }
        default: break
        }
        var rest: [UInt8] = []
        while let request = readRequest(&rest) {
            guard answer(request), request.headers["connection"]?.lowercased() != "close" else { return }
        }
    }

    // MARK: Requests

    private func readRequest(_ buffer: inout [UInt8]) -> OriginRequest? {
        while true {
            if let request = takeRequest(&buffer) { return request }
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(socket, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer += piece[..<count]
        }
    }

    /// Removes the first request from the buffer and returns it; `nil` if it is not complete yet.
    private func takeRequest(_ buffer: inout [UInt8]) -> OriginRequest? {
        let terminator = Array("\r\n\r\n".utf8)
        guard buffer.count >= 4,
            let end = (0...(buffer.count - 4)).first(where: {
                buffer[$0] == 13 && buffer[$0..<($0 + 4)].elementsEqual(terminator)
            })
        else { return nil }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first.map { $0.split(separator: " ") } ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let bodyStart = end + 4
        let bodyCount = headers["content-length"].flatMap { Int($0) } ?? 0
        guard buffer.count >= bodyStart + bodyCount else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1)
        let request = OriginRequest(
            method: String(words[0]), path: target.first.map(String.init) ?? "/",
            query: target.count > 1 ? String(target[1]) : nil, headers: headers,
            body: Array(buffer[bodyStart..<(bodyStart + bodyCount)]), connection: number)
        buffer.removeFirst(bodyStart + bodyCount)
        return request
    }

    // MARK: Answers

    /// Responds to a request; returns `false` if the connection has to be closed.
    private func answer(_ request: OriginRequest) -> Bool {
        let (faults, handler) = shared.received(request)
        for fault in faults {
            switch fault {
            case .close:
                sender.reset()
                return false
            case .stallBeforeAnswer: if !sender.stall() { return false }
            case .goDown: shared.listener.goDown()
            case .delay(let time): if !sender.wait(time) { return false }
            case .raw(let bytes):
                _ = sender.send(bytes)
                return false
            default: break
            }
        }
        var plan = OriginAnswer(to: request, faults: faults, handler: handler, shared: shared)
        plan.apply(faults)
        return sender.send(plan, to: request.path, withBody: request.method != "HEAD")
    }
}
