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
        guard paths.count > most else {
            return warning(
                messages.text(
                    "left out of '{pack}': {files} (hidden, or run by other programs)",
                    ["pack": pack, "files": named]))
        }
        warning(
            messages.text(
                paths.count - most,
                one: "left out of '{pack}': {files} and {count} more (hidden, or run by other programs)",
                other: "left out of '{pack}': {files} and {count} more (hidden, or run by other programs)",
                ["pack": pack, "files": named]))
    }
}
