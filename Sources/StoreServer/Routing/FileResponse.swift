import FoundationEssentials
import Hummingbird
import NIOCore
import StoreImages
import StoreModel
import StoreSystem

/// An HTTP response that contains a file beneath an open directory, with support for conditional and range requests.
struct FileResponse: Sendable {
    /// The number of the file's bytes that are read and written at a time.
    private static let chunkSize = 256 << 10

    /// How often a pack that is replaced again and again is looked up for one request.
    private static let maximumLookups = 5

    private static let work = BlockingWork(label: "store-server.files", concurrent: true)

    let directory: Directory
    /// The path of the served file relative to the directory.
    ///
    /// Symbolic links are not followed, and no path leads out of the directory.
    let path: String
    var trust = ContentTrust.untrusted

    /// Whether the author of the served files is trusted; determines media types and what a browser may run.
    enum ContentTrust {
        /// The served files belong to a pack: nothing in them may run in a browser, whatever their names are.
        case untrusted
        /// The served files belong to the user who serves them: their names determine the media types.
        case trusted
    }

    /// Runs `body` with a file of a pack; if the file is missing because the pack was replaced or removed meanwhile, looks the
    /// pack up again.
    ///
    /// The files of a removed pack are deleted one by one, while a directory that was opened before stays open.
    ///
    /// - Parameter find: opens the directory of the pack.
    /// - Throws: what `find` and `body` throw.
    static func withPackFile<Value>(
        _ path: String, in find: () async throws -> Directory, _ body: (FileResponse) async throws -> Value
    ) async throws -> Value {
        var lookups = 0
        while true {
            let directory = try await find()
            lookups += 1
            do {
                return try await body(FileResponse(directory: directory, path: path))
            } catch let error as StoreError where error.code == .servedFileMissing {
                // No directory is in place any more where all directories of the home were moved.
                guard lookups < maximumLookups, try await !work.run({ try directory.isInPlace }) else { throw error }
            }
        }
    }

    /// Returns the HTTP response to a `GET` request for the file.
    ///
    /// For a `HEAD`, the caller leaves the body out.
    ///
    /// - Throws: `request.file` if there is no such file.
    func response(to request: Request) async throws -> Response {
        guard isWellFormed else { throw missing }
        let (file, status, head) =
            try await Self.work.run { [directory, path] in try Self.open(path, in: directory) } ?? { throw missing }()

        let tag = Self.entityTag(of: status)
        let modified = status.modifiedAt.httpFormatted
        var headers: HTTPFields =
            switch trust {
            case .untrusted: .untrustedContent
            case .trusted: [.xContentTypeOptions: "nosniff"]
            }
        headers[.eTag] = tag.text
        headers[.lastModified] = modified
        headers[.acceptRanges] = "bytes"
        if Self.isUnchanged(request, tag: tag, modified: modified) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = mediaType(head: head)
        var range = 0..<status.size
        var code = HTTPResponse.Status.ok
        // A range in a HEAD request is ignored (RFC 9110, 14.2).
        if request.method == .get, let header = request.headers[.range],
            Self.rangeApplies(request, tag: tag, modified: modified)
        {
            switch ByteRange(header, size: status.size) {
            case .whole: break
            case .part(let part):
                range = part
                code = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(status.size)"
            case .unsatisfiable:
                let error = StoreError(
                    .servedRangeUnsatisfiable,
                    ["range": .untrusted(header), "path": .untrusted(path), "size": .bytes(status.size)])
                return .problem(ErrorReport(error), headers: [.contentRange: "bytes */\(status.size)"])
            }
        }
        return Response(status: code, headers: headers, body: Self.body(file, range))
    }

    /// Whether the path is relative, without components that lead elsewhere.
    private var isWellFormed: Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0")
        }
    }

    /// Returns the media type with which the file is served.
    ///
    /// - Throws: `request.file` if there is no such file.
    func mediaType() async throws -> String {
        guard isWellFormed else { throw missing }
        let opened = try await Self.work.run { [directory, path] in try Self.open(path, in: directory) }
        guard let opened else { throw missing }
        return mediaType(head: opened.head)
    }

    private func mediaType(head: [UInt8]) -> String {
        switch trust {
        case .untrusted: MediaTypes.ofUntrustedFile(head: head, suffix: Self.suffix(of: path))
        case .trusted: MediaTypes.ofSuffix(Self.suffix(of: path))
        }
    }

    private var missing: StoreError {
        StoreError(.servedFileNotFound, ["path": .untrusted(path)])
    }

    /// The error numbers (`errno`) of opening a path that does not lead to a readable file.
    private static let unreadable: Set<Errno> = [
        .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink, .permissionDenied,
        .fileNameTooLong, .invalidArgument, .noSuchAddressOrDevice,
    ]

    /// Opens the file to serve; `nil` if there is no readable regular file at the path.
    ///
    /// - Returns: the open file, its status and its first bytes.
    private static func open(_ path: String, in directory: Directory) throws(StoreError) -> (
        OpenFile, FileStatus, head: [UInt8]
    )? {
        do {
            let file = try directory.openFile(path)
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
                let count = min(chunkSize, range.upperBound - start)
                let bytes = try await work.run { try file.read(count: count, at: start) }
                // `Content-Length` has been sent, so only a broken connection can report a truncated file.
                guard bytes.count == count else {
                    throw StoreError(.servedFileTruncated, ["path": .path(file.path)])
                }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += count
            }
            try await writer.finish(nil)
        }
    }

    /// Returns the HTTP entity tag of a file, made of its inode, size and time of modification.
    ///
    /// Size and time alone are equal for two versions from archives without times. The inode differs, because a new version is
    /// always a new file.
    private static func entityTag(of status: FileStatus) -> EntityTag {
        // File systems store times far beyond those that have a number of microseconds.
        let microseconds = Int64(status.modifiedAt.representable.timeIntervalSince1970 * 1_000_000)
        return EntityTag(
            "\(String(status.inode, radix: 16))-\(String(status.size, radix: 16))-\(String(microseconds, radix: 16))")
    }

    /// Returns whether the client has the current content of the file (RFC 9110, 13.2.2).
    ///
    /// It is compared by entity tag if the client sends any, else by time.
    ///
    /// Times are compared as text: the client returns the `Last-Modified` that it received.
    private static func isUnchanged(_ request: Request, tag: EntityTag, modified: String) -> Bool {
        tag.matchesIfNoneMatch(of: request) ?? (request.headers[.ifModifiedSince] == modified)
    }

    /// Returns whether the condition of the request's `If-Range` holds (RFC 9110, 13.1.5), so that a range is sent.
    private static func rangeApplies(_ request: Request, tag: EntityTag, modified: String) -> Bool {
        guard let condition = request.headers[.ifRange] else { return true }
        return condition == tag.text || condition == modified
    }

    private static func suffix(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }
}

extension APIRequest {
    /// Returns the HTTP response with the file whose path follows the last fixed segment of the route.
    ///
    /// - Parameter find: opens the directory of a pack or a skin; see ``FileResponse/withPackFile(_:in:_:)``.
    /// - Throws: `request.file` if there is no such file; what `find` throws.
    func fileResponse(in find: () async throws -> Directory) async throws -> Response {
        try await FileResponse.withPackFile(packFilePath(), in: find) { try await $0.response(to: httpRequest) }
    }

    /// Returns the path of a pack's file, which follows the last fixed segment of the route.
    ///
    /// - Throws: `request.file` for the pack's receipt.
    func packFilePath() throws -> String {
        let path = try remainingPath()
        // The receipt belongs to the library, and is not part of the pack.
        guard path != ".receipt.json" else {
            throw StoreError(.servedFileNotFound, ["path": .untrusted(path)])
        }
        return path
    }
}
