import FoundationEssentials
import Glibc
import StoreSystem

/// Writes a file, and creates its directory if it is missing.
func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
    let slash = path.lastIndex(of: "/")!
    let folder = try Directory.create(String(path[..<slash]))
    try folder.replace(String(path[path.index(after: slash)...]), with: Data(text.utf8), mode: mode)
}
