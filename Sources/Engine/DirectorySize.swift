import StoreSystem

/// A namespace for the size of directories.
enum DirectorySize {
    /// Returns the size in bytes of all files beneath a directory; 0 if it does not exist.
    ///
    /// The files may change meanwhile, as those of a cache do. What has disappeared or can't be read is left out.
    static func bytes(in path: String) -> Int {
        guard let root = try? Directory.open(path) else { return 0 }
        var sizes: [Int] = []
        var pending = [""]
        while let inner = pending.popLast() {
            guard let directory = inner.isEmpty ? root : try? root.openDirectory(inner),
                let entries = try? directory.entries()
            else { continue }
            for entry in entries {
                if entry.kind == .folder {
                    pending.append(inner.isEmpty ? entry.name : inner + "/" + entry.name)
                } else if let status = (try? directory.status(of: entry.name)) ?? nil {
                    sizes.append(status.size)
                }
            }
        }
        return sizes.checkedSum ?? .max
    }
}
