import Glibc

/// Sends responses on one connection.
///
/// Every function that returns a `Bool` returns `false` if the connection can't be used any more.
struct OriginSender {
    private let socket: Int32
    private let shared: OriginShared

    init(_ socket: Int32, _ shared: OriginShared) {
        self.socket = socket
        self.shared = shared
    }

    func send(_ answer: OriginAnswer, to path: String, withBody: Bool) -> Bool {
        guard sendHead(answer) else { return false }
        guard withBody, answer.mayHaveBody else { return true }
        var sent = 0
        repeat {
            while sent < answer.bodyCount {
                if let limit = answer.breakAfter, sent >= limit { break }
                if let limit = answer.stallAfter, sent == limit, !stall() { return false }
                let end = endOfPiece(answer, from: sent)
                let piece = answer.piece(sent..<end)
                // Counted first: when the client has the last piece, a test may ask at once how many bytes were sent.
                let count = min(end, answer.contentCount) - min(sent, answer.contentCount)
                shared.sent(count, of: path)
                guard sendPiece(piece, chunked: answer.framing == .chunked) else {
                    shared.sent(-count, of: path)
                    return false
                }
                sent = end
                if isSlow(answer, at: sent), !wait(.milliseconds(20)) { return false }
            }
            if let limit = answer.breakAfter, sent >= limit || !answer.isEndless {
                if answer.closeAfter == nil { reset() }
                return false
            }
            if answer.isEndless { sent = 0 }
        } while answer.isEndless
        if let limit = answer.stallAfter, limit == sent, !stall() { return false }
        if answer.framing == .chunked, !send(Array("0\r\n\r\n".utf8)) { return false }
        return !answer.endsConnection
    }

    /// A piece ends before the next byte at which a fault occurs.
    private func endOfPiece(_ answer: OriginAnswer, from sent: Int) -> Int {
        var most = answer.rate.map { max(1, $0 / 50) } ?? 256 << 10
        if crawls(answer, at: sent) { most = 1 }
        let marks = [answer.breakAfter, answer.stallAfter, answer.crawlAfter].compactMap { $0 }.filter { $0 > sent }
        return min(answer.bodyCount, sent + most, marks.min() ?? Int.max)
    }

    private func isSlow(_ answer: OriginAnswer, at sent: Int) -> Bool {
        answer.rate != nil || crawls(answer, at: sent - 1)
    }

    private func crawls(_ answer: OriginAnswer, at sent: Int) -> Bool {
        guard let start = answer.crawlAfter, sent >= start else { return false }
        return !shared.read { $0.isReleased }
    }

    private func sendHead(_ answer: OriginAnswer) -> Bool {
        let head = answer.head
        guard let fault = answer.headersFault else { return send(head) }
        if case .crawlInHeaders = fault {
            // Without the empty line that ends them, and with one more that does not end.
            let endless = repeatElement(UInt8(ascii: "-"), count: Int.max)
            return (head.dropLast(2) + "X-Crawl: ".utf8).allSatisfy(crawl) && endless.allSatisfy(crawl)
        }
        let firstLine = head.prefix { $0 != 10 }.count + 1
        guard send(head[..<firstLine]) else { return false }
        switch fault {
        case .stallInHeaders: return stall() && send(head[firstLine...])
        case .resetInHeaders:
            reset()
            return false
        default: return false
        }
    }

    private func crawl(_ byte: UInt8) -> Bool { send([byte]) && wait(.milliseconds(20)) }

    private func sendPiece(_ piece: [UInt8], chunked: Bool) -> Bool {
        guard chunked else { return send(piece) }
        return send(Array("\(String(piece.count, radix: 16))\r\n".utf8)) && send(piece) && send(Array("\r\n".utf8))
    }

    func send(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(socket, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                sent += count
            }
            return true
        } ?? false
    }

    /// Resets the connection once the peer's system has received everything that was sent.
    func reset() {
        var unsent: Int32 = 0
        while ioctl(socket, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0, !isClosed(within: 1) {}
        // On Linux, connecting to an unspecified address resets a connection, even if another process has inherited
        // the descriptor, which would prevent a close from doing so.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
        connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Waits for ``Origin/release()`` or the end of the connection.
    func stall() -> Bool {
        shared.change { $0.stalled += 1 }
        defer { shared.change { $0.stalled -= 1 } }
        var events = [
            pollfd(fd: socket, events: OriginSocket.hangUp, revents: 0),
            pollfd(fd: shared.releaseEvent.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&events, 2, -1) < 0, errno == EINTR {}
        return events[0].revents == 0
    }

    func wait(_ time: Duration) -> Bool {
        let (seconds, rest) = time.components
        return !isClosed(within: Int32(seconds * 1000 + rest / 1_000_000_000_000_000))
    }

    private func isClosed(within milliseconds: Int32) -> Bool {
        var event = pollfd(fd: socket, events: OriginSocket.hangUp, revents: 0)
        return poll(&event, 1, milliseconds) > 0
    }
}
