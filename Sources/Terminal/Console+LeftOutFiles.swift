extension Console {
    /// Prints a warning with the files and directories that were left out of a pack, if there are any.
    ///
    /// - Parameters:
    ///   - paths: the paths of hidden files and directories, and of those that other programs run by themselves.
    ///   - pack: the pack as the user named it.
    package func warn(leftOut paths: [String], of pack: String) {
        guard !paths.isEmpty else { return }
        let most = 5
        let named = paths.prefix(most).map { "'\($0)'" }.joined(separator: ", ")
        let rest = paths.count > most ? " and \(paths.count - most) more" : ""
        warning("left out of '\(pack)': \(named)\(rest) (hidden, or run by other programs)")
    }
}
