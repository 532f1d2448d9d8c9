/// The reason why a file or directory is never part of a pack, which follows from its name alone.
///
/// People open the directories of packs with file managers, shells and editors, and some of these programs run or load
/// what they find under certain names: git runs a program that `.git/config` names, a shell with direnv runs `.envrc`,
/// and Windows runs what `autorun.inf` names. None of these files is content.
public enum PackExclusion: Sendable, Hashable {
    /// A file that a file manager or an archiver leaves in directories, such as `.DS_Store`; harmless.
    case litter
    /// A hidden file or directory, or one that other programs run or load because of its name.
    case hidden

    /// Names of litter, in lower case.
    private static let litterNames: Set<String> = [".ds_store", "__macosx", "thumbs.db", "desktop.ini"]
    /// Names that are not hidden and that programs act upon, in lower case.
    ///
    /// Those without a suffix are run by desktops that follow the Desktop Application Autostart Specification.
    private static let automaticNames: Set<String> = ["autorun.inf", "autorun", "autorun.sh", "autoopen"]

    /// Returns the reason why an entry of a directory is not part of a pack; `nil` if it may be.
    ///
    /// - Parameters:
    ///   - name: the name of the entry, which has no `/`.
    ///   - isDirectory: whether the entry is a directory.
    public init?(name: some StringProtocol, isDirectory: Bool) {
        // As in file systems that ignore case. Longer names are none of those above.
        let folded = name.utf8.count <= 32 ? name.caseFolded : ""
        if Self.litterNames.contains(folded) || name.utf8.starts(with: "._".utf8) {
            // macOS keeps the attributes of 'x' in '._x' where the file system has none.
            self = .litter
        } else if name.utf8.first == UInt8(ascii: ".") || Self.automaticNames.contains(folded) {
            self = .hidden
        } else if !isDirectory, folded == "head" {
            // git takes a directory with this file, and directories 'objects' and 'refs', for a repository.
            self = .hidden
        } else {
            return nil
        }
    }

    /// Returns the topmost file or directory of a path that is not part of a pack, and the reason; `nil` if there is
    /// none.
    ///
    /// - Parameters:
    ///   - path: a path with `/` between the components.
    ///   - isDirectory: whether the last component is a directory.
    public static func topmost(in path: String, isDirectory: Bool) -> (path: String, reason: PackExclusion)? {
        var start = path.utf8.startIndex
        while true {
            let end = path.utf8[start...].firstIndex(of: UInt8(ascii: "/"))
            let name = path[start..<(end ?? path.utf8.endIndex)]
            if let reason = PackExclusion(name: name, isDirectory: end != nil || isDirectory) {
                return (String(path[..<name.endIndex]), reason)
            }
            guard let end else { return nil }
            start = path.utf8.index(after: end)
        }
    }
}
