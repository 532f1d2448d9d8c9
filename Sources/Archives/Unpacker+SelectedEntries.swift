import StoreModel
public import StoreSystem

extension Unpacker {
    public func unpack(
        _ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?, cancellation: CancellationFlag
    ) throws {
        let reader = SelectedEntryReader(cancellation: cancellation)
        for selected in entries {
            guard let directory else {
                try reader.read(selected.entry, of: archive) { _ in }
                continue
            }
            let path = selected.path
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let parent = try slash.map { try directory.createDirectory(String(path[..<$0]), mode: 0o755) } ?? directory
            let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
            let file = try parent.createFile(name, mode: 0o644)
            try reader.read(selected.entry, of: archive) { try file.write($0) }
        }
    }
}
