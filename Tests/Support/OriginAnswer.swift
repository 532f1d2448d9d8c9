/// A response to send, including its faults.
struct OriginAnswer {
    enum Framing { case length, chunked, untilClose }

    var status = 200
    /// The headers in the order of sending.
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The part of a large file that is sent instead of `body`.
    var largePart: Range<Int>?
    /// The offset of the body in the file.
    var offset = 0
    /// The number of bytes of the body that belong to the file; bytes that a fault adds do not.
    var contentCount = 0
    var framing = Framing.length
    /// The declared length minus the number of bytes that are sent.
    var declaredExcess = 0
    var resetAfter: Int?
    var closeAfter: Int?
    var stallAfter: Int?
    var crawlAfter: Int?
    var headersFault: OriginFault?
    var isEndless = false
    /// The rate in bytes per second.
    var rate: Int?

    /// Creates the response of a correct server, except for faults that replace the response.
    init(
        to request: OriginRequest, faults: [OriginFault], handler: (@Sendable (OriginRequest) -> OriginReply)?,
        shared: OriginShared
    ) {
        for fault in faults {
            switch fault {
            case .status(let status, let headers):
                self.init(OriginReply(status: status, headers: headers))
                return
            case .redirect(let target, let status):
                self.init(OriginReply(status: status, headers: ["Location": target]))
                return
            default: break
            }
        }
        if let handler {
            self.init(handler(request))
            return
        }
        guard var file = shared.file(request.path) else {
            self.init(OriginReply(status: 404, body: Array("not here\n".utf8)))
            return
        }
        var supportsRanges = true
        var honorsIfRange = true
        for fault in faults {
            switch fault {
            case .bytes(let bytes): (file.bytes, file.etag) = (bytes, OriginFile.tag(of: bytes))
            case .ignoreRange: supportsRanges = false
            case .ignoreIfRange: honorsIfRange = false
            default: break
            }
        }
        for case .etag(let tag) in faults { file.etag = tag }

        self.init(OriginReply())
        headers = [("Last-Modified", file.lastModified)]
        if let tag = file.etag { headers.append(("ETag", tag)) }
        if supportsRanges { headers.append(("Accept-Ranges", "bytes")) }
        if let tag = file.etag, request.headers["if-none-match"] == tag {
            status = 304
            return
        }
        body = file.bytes
        largePart = file.largeSize.map { 0..<$0 }
        guard supportsRanges, let range = request.range,
            !honorsIfRange || request.headers["if-range"].map({ $0 == file.etag }) ?? true
        else { return }
        takeRange(range, size: file.size)
    }

    init(_ reply: OriginReply) {
        status = reply.status
        headers = reply.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        body = reply.body
    }

    /// Reduces the body to `bytes=a-b`, `bytes=a-` or `bytes=-n`; any other value is ignored (RFC 9110, 14.2).
    private mutating func takeRange(_ range: String, size: Int) {
        guard range.hasPrefix("bytes=") else { return }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        let (first, last): (Int, Int)
        switch (Int(ends[0]), Int(ends[1])) {
        case (let a?, let b?): (first, last) = (a, min(b, size - 1))
        case (let a?, nil): (first, last) = (a, size - 1)
        case (nil, let n?): (first, last) = (max(0, size - n), size - 1)
        default: return
        }
        guard first < size, first <= last else {
            status = 416
            headers.append(("Content-Range", "bytes */\(size)"))
            (body, largePart) = ([], nil)
            return
        }
        status = 206
        headers.append(("Content-Range", "bytes \(first)-\(last)/\(size)"))
        if largePart == nil { body = Array(body[first...last]) } else { largePart = first..<last + 1 }
        offset = first
    }

    /// Applies the faults that concern the body and single headers.
    mutating func apply(_ faults: [OriginFault]) {
        contentCount = bodyCount
        func place(_ byte: Int) -> Int { max(0, byte - offset) }
        for fault in faults {
            switch fault {
            case .resetInHeaders, .closeInHeaders, .stallInHeaders, .crawlInHeaders: headersFault = fault
            case .resetAfter(let count): resetAfter = count
            case .resetAt(let byte): resetAfter = place(byte)
            case .closeAfter(let count): closeAfter = count
            case .closeAt(let byte): closeAfter = place(byte)
            case .stallAfter(let count): stallAfter = count
            case .stallAt(let byte): stallAfter = place(byte)
            case .crawlAt(let byte): crawlAfter = place(byte)
            case .wrongAt(let byte): if body.indices.contains(byte - offset) { body[byte - offset] ^= 1 }
            case .short(let count):
                body.removeLast(min(count, body.count))
                declaredExcess = count
            case .long(let count):
                body += [UInt8](repeating: 0x78, count: count)
                declaredExcess = -count
            case .chunked: framing = .chunked
            case .untilClose: framing = .untilClose
            case .endless: (isEndless, framing) = (true, .chunked)
            case .rate(let bytes): rate = bytes
            default: break
            }
        }
        for case .header(let name, let value) in faults {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            headers.append((name, value))
        }
    }

    var bodyCount: Int { largePart?.count ?? body.count }

    func piece(_ range: Range<Int>) -> [UInt8] {
        guard let largePart else { return Array(body[range]) }
        return OriginBlocks.bytes(largePart.lowerBound + range.lowerBound..<largePart.lowerBound + range.upperBound)
    }

    /// The number of body bytes after which the connection is closed or reset.
    var breakAfter: Int? { resetAfter ?? closeAfter }

    var mayHaveBody: Bool { status != 304 && status != 204 && status >= 200 }

    /// Whether the connection has to be closed after this response.
    var endsConnection: Bool { framing == .untilClose || declaredExcess != 0 }

    var head: [UInt8] {
        var text = "HTTP/1.1 \(status) \(status < 400 ? "OK" : "No")\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if mayHaveBody {
            switch framing {
            case .length:
                if !headers.contains(where: { $0.name.lowercased() == "content-length" }) {
                    text += "Content-Length: \(bodyCount + declaredExcess)\r\n"
                }
            case .chunked: text += "Transfer-Encoding: chunked\r\n"
            case .untilClose: text += "Connection: close\r\n"
            }
        }
        return Array((text + "\r\n").utf8)
    }
}
