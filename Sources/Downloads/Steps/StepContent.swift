import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// The values that the steps hand on.
enum DiskContent: DownloadContent {
    typealias Partial = PartialFetch
    typealias Archive = FetchedArchive
    typealias Staged = PreparedPack
    typealias Pack = LibraryPack
}

/// What attempts to fetch an archive have brought so far, and what they have learned of its sources.
enum PartialFetch: PartialContent {
    /// It is not decided yet what has to be fetched.
    case undecided
    case parts(PartialArchive, MirrorList)
    case whole(PartialFile, MirrorList)

    static var none: PartialFetch { .undecided }

    var bytesReceived: Int? {
        switch self {
        case .undecided: nil
        case .parts(let parts, _): parts.progress.received
        case .whole(let file, _): file.size
        }
    }

    /// The addresses that answered, or refused to, in the last attempt.
    var reachedURLs: [URL] {
        switch self {
        case .undecided: []
        case .parts(_, let sources), .whole(_, let sources): sources.reachable
        }
    }
}

/// An archive, or all that is needed of it, on disk and verified.
struct FetchedArchive: Sendable {
    enum Content: Sendable {
        case whole(OpenFile)
        case parts(OpenFile, FetchPlan)
    }
    let content: Content
    /// What the receipt says of the archive.
    let archive: Receipt.Archive
    /// The number of bytes that had to come over the network.
    let size: Int
}

extension DownloadRequest {
    /// The hosts from which the archive can be fetched; empty if one of its addresses is a local file.
    var hosts: [String] {
        let urls = [resource.url] + product.mirrors(of: resource)
        if urls.contains(where: \.isFileURL) { return [] }
        return urls.reduce(into: []) { hosts, url in
            if let host = url.host(), !hosts.contains(host) { hosts.append(host) }
        }
    }
}
