import StoreModel
public import StoreSystem

extension Unpacker {
    public func unpack(
        _ parts: [ArchivePart], of archive: OpenFile, into folder: Directory?, cancellation: CancellationFlag
    ) throws {
        let inflater = PartInflater(cancellation: cancellation)
        for part in parts {
            guard let folder else {
                try inflater.read(part.entry, of: archive) { _ in }
                continue
            }
            let slash = part.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let parent = try slash.map { try folder.createDirectory(String(part.path[..<$0]), mode: 0o755) } ?? folder
            let name = slash.map { String(part.path[part.path.utf8.index(after: $0)...]) } ?? part.path
            let file = try parent.createFile(name, mode: 0o644)
            try inflater.read(part.entry, of: archive) { try file.write($0) }
        }
    }
}
