import Glibc
import StoreSystem

/// A folder for one test, removed with all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/storeclient-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FileError(.fileFailed, "no temporary folder") }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        try? Directory.open("/tmp").removeTree(String(path.dropFirst("/tmp/".count)))
    }
}
