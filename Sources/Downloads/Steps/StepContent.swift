import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// The types of the values that the steps of a real download pass to each other; tests use other types.
enum DiskContent: DownloadContent {
    typealias Partial = PartialFetch
    typealias Archive = FetchedArchive
    typealias Staged = PreparedPack
    typealias Pack = LibraryPack
}

/// The state of fetching an archive that one attempt passes to the next: the bytes on disk and the known sources.
enum PartialFetch: PartialContent {
    /// No attempt to fetch the archive has yet decided what has to be fetched.
    case undecided
    case parts(PartialArchive, MirrorList)
    /// The whole archive is being fetched; `isContinued` says whether an earlier process began with it in this download.
    case whole(PartialFile, MirrorList, isContinued: Bool)
    /// The whole archive is to be fetched, and no attempt has received any of it.
    case unopened(MirrorList)

    static var none: PartialFetch { .undecided }

    var bytesReceived: Int? {
        switch self {
        case .undecided, .unopened: nil
        case .parts(let parts, _): parts.progress.received
        case .whole(let file, _, _): file.size
        }
    }

    var isContinued: Bool {
        if case .whole(_, _, let isContinued) = self { isContinued } else { false }
    }

    /// The error of the first complete archive with wrong content in this download; `nil` if there was none.
    var contentMismatch: StoreError? {
        switch self {
        case .undecided: nil
        case .parts(_, let sources), .whole(_, let sources, _), .unopened(let sources): sources.contentMismatch
        }
    }

    /// The URLs of the archive to which there was a network path in the last attempt, even if the server refused.
    var reachedURLs: [URL] {
        switch self {
        case .undecided: []
        case .parts(_, let sources), .whole(_, let sources, _), .unopened(let sources): sources.reachable
        }
    }
}

/// A fetched archive, or all parts that are needed of one, on disk and verified.
///
/// An archive without a hash in the catalogue is complete, and its own hash was computed.
struct FetchedArchive: Sendable {
    enum Content: Sendable {
        case whole(OpenFile)
        case parts(OpenFile, FetchPlan)
    }
    let content: Content
    /// The URL, size and hash of the fetched archive, for the receipt (description) of the installed pack.
    let archive: Receipt.Archive
    /// The number of bytes of the archive that had to come over the network; for a cached archive, its size.
    let size: Int
}

extension DownloadRequest {
    /// Whether the files that the installed pack lacks may be fetched instead of the whole archive.
    ///
    /// How much has to be fetched is known only when the download has begun.
    var mayFetchParts: Bool {
        switch action {
        case .repair: true
        // For a small archive, the requests of the table and of one part cost more than they save.
        case .update:
            product.entryTable != nil && resource == product.resource
                && resource.size.map { $0 > 4 * FetchPlan.updateRequestCost } ?? false
        default: false
        }
    }

    /// The host names from which the archive can be fetched; empty if one of its URLs is a local file.
    var hosts: [String] {
        let urls = [resource.url] + product.mirrors(of: resource)
        if urls.contains(where: \.isFileURL) { return [] }
        return urls.reduce(into: []) { hosts, url in
            if let host = url.host(), !hosts.contains(host) { hosts.append(host) }
        }
    }
}
