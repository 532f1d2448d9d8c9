import FoundationEssentials
import Hummingbird
import NIOCore
import StoreImages
import StoreModel
import StoreSystem

/// A file beneath an open folder as an answer: with its type, conditional and by range.
struct FileResponse: Sendable {
    /// Read at once, while others are served.
    private static let piece = 256 << 10

    private static let work = BlockingWork(label: "store-server.files", concurrent: true)

    let folder: Directory
    /// Relative, with `/` between the parts; links are not followed and nothing leads out of the folder.
    let path: String
    var trust = ContentTrust.untrusted

    /// Whose files they are.
    enum ContentTrust {
        /// They came in a pack: nothing of them may run in a browser, whatever it is called.
        case untrusted
        /// Whoever serves them made them, and their names say what they are.
        case trusted
    }

    /// The answer to a GET; for a HEAD its body is left out by whoever sends it.
    ///
    /// - Throws: `request.path` where there is no such file.
    func response(to request: Request) async throws -> Response {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }) else {
            throw missing
        }
        let (file, status, head) =
            try await Self.work.run { [folder, path] in try Self.open(path, in: folder) } ?? { throw missing }()

        let tag = Self.entityTag(of: status)
        let modified = status.modifiedAt.httpFormatted
        var headers: HTTPFields = [.eTag: tag.text, .lastModified: modified, .acceptRanges: "bytes"]
        headers[.xContentTypeOptions] = "nosniff"
        if trust == .untrusted { headers[.contentSecurityPolicy] = Self.policy }
        if Self.isUnchanged(request, tag: tag, modified: modified) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] =
            switch trust {
            case .untrusted: MediaTypes.harmless(head: head, suffix: Self.suffix(of: path))
            case .trusted: MediaTypes.named(Self.suffix(of: path))
            }
        var range = 0..<status.size
        var code = HTTPResponse.Status.ok
        if let asked = request.headers[.range], Self.mayBeCut(request, tag: tag, modified: modified) {
            switch ByteRange(asked, size: status.size) {
            case .whole: break
            case .part(let part):
                range = part
                code = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(status.size)"
            case .unsatisfiable:
                return Response(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(status.size)"])
            }
        }
        return Response(status: code, headers: headers, body: Self.body(file, range))
    }

    private var missing: ServerError {
        ServerError(.resourceUnknown, "There is no file '\(path)' here.")
    }

    /// The system's reasons for which a path names no file that may be read.
    private static let unreadable: Set<Errno> = [
        .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink, .permissionDenied,
        .fileNameTooLong, .invalidArgument, .noSuchAddressOrDevice,
    ]

    /// `nil` where there is no file of that path that may be read.
    private static func open(_ path: String, in folder: Directory) throws(FileError) -> (
        OpenFile, FileStatus, head: [UInt8]
    )? {
        do {
            let file = try folder.openFile(path)
            let status = try file.status()
            guard status.kind == .file else { return nil }
            return (file, status, try file.read(count: min(status.size, ImageFormat.headLength), at: 0))
        } catch  where error.errno.map(unreadable.contains) ?? false {
            return nil
        }
    }

    private static func body(_ file: OpenFile, _ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let start = offset
                let count = min(piece, range.upperBound - start)
                let bytes = try await work.run { try file.read(count: count, at: start) }
                // The length has been promised: only a broken connection says that the file has become shorter.
                guard bytes.count == count else {
                    throw ServerError(.unexpected, "'\(file.path)' became shorter while it was read.")
                }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += count
            }
            try await writer.finish(nil)
        }
    }

    /// Size and time alone would be the same for two versions unpacked from archives without times; the inode tells them
    /// apart, since a new version is always a new file.
    private static func entityTag(of status: FileStatus) -> EntityTag {
        let microseconds = Int64(status.modifiedAt.timeIntervalSince1970 * 1_000_000)
        return EntityTag(
            "\(String(status.inode, radix: 16))-\(String(status.size, radix: 16))-\(String(microseconds, radix: 16))")
    }

    /// RFC 9110, 13.2.2: the tag decides where one is given. A time is compared as the text that was sent with the file.
    private static func isUnchanged(_ request: Request, tag: EntityTag, modified: String) -> Bool {
        tag.isKnown(to: request) ?? (request.headers[.ifModifiedSince] == modified)
    }

    /// Whether a range is wanted of the file as it is now.
    private static func mayBeCut(_ request: Request, tag: EntityTag, modified: String) -> Bool {
        guard let condition = request.headers[.ifRange] else { return true }
        return condition == tag.text || condition == modified
    }

    /// What a browser that is shown a drawing, or XML, as a page of its own may do with it: draw.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

    private static func suffix(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }
}

extension APIRequest {
    /// The file that the rest of the path names in a pack's folder.
    ///
    /// - Throws: `request.path` where there is no such file.
    func file(of pack: Directory) async throws -> Response {
        let path = try restOfPath()
        // The receipt is the library's own and none of the pack's files.
        guard path != ".receipt.json" else {
            throw ServerError(.resourceUnknown, "There is no file '\(path)' here.")
        }
        return try await FileResponse(folder: pack, path: path).response(to: httpRequest)
    }
}
