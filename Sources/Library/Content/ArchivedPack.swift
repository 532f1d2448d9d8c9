public import FoundationEssentials
import StoreImages
import StoreModel

/// What the files of an archive say of the pack in it, before it is unpacked.
///
/// `Codable`, so that another process can read the archive.
public struct ArchivedPack: Sendable, Hashable, Codable {
    /// The content of the information file, `pack.json`; empty if there is none.
    public var information: PackInformation
    /// What the information file of a kind's own format says; empty if there is none.
    public var own: PackInformation
    /// Whether a file has the name of an image, so that the pack has stickers where it does not say what it has.
    public var hasImages: Bool

    /// Reads the description of a pack from the files of its archive.
    ///
    /// - Parameters:
    ///   - paths: the paths of the files, relative to the pack's directory.
    ///   - kinds: the kinds whose information files are looked for.
    ///   - content: returns the content of a file; `nil` if there is none.
    /// - Throws: what `content` throws; `content.bad-information`, or a code of the kind, if a file is malformed.
    public init(paths: [String], kinds: ContentKinds, content: (String) throws -> Data?) throws {
        information =
            try content(PackInformation.fileName).map { try PackInformation.decode(from: $0) } ?? PackInformation()
        own = try kinds.information(content)
        hasImages = paths.contains { path in
            guard let dot = path.lastIndex(of: ".") else { return false }
            return ImageFormat.allSuffixes.contains(path[dot...].dropFirst().lowercased())
        }
    }
}
