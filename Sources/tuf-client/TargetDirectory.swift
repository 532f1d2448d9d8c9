import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust

/// The directory of downloaded files, each under its percent-encoded path.
struct TargetDirectory: Sendable {
    private let directory: Directory

    /// Uses a directory for downloaded files.
    init(_ directory: Directory) { self.directory = directory }

    /// Returns whether a file is there with the content that signed metadata states.
    func has(_ target: TargetFile) throws(StoreError) -> Bool {
        let name = MetadataFileName.encoded(target.path)
        guard let status = try directory.status(of: name), status.kind == .file, status.size == target.length else {
            return false
        }
        return (try? target.check(try directory.read(name, limit: target.length))) != nil
    }

    /// Stores the verified content of a file in place of a previous version.
    func store(_ content: Data, as target: TargetFile) throws {
        try directory.replace(MetadataFileName.encoded(target.path), with: content, mode: 0o644)
    }
}
