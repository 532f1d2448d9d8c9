import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTransfers

/// The destination of a fetched file: a name in a directory, or standard output.
enum FetchTarget: Sendable {
    /// The file is downloaded into `NAME.part`, which a later run continues, and gets its name when it is complete.
    case file(NamedPartialFile)
    /// The file is downloaded into a file without a name, and written to standard output when it is complete.
    case standardOutput(PartialFile)

    /// The path that denotes standard output.
    static let outputPath = "-"

    /// Returns the paths of all files that the download of a file writes: its own, and those of its partial file.
    static func paths(writtenFor path: String) -> [String] { [path, path + ".part", path + ".part.ranges"] }

    /// Opens the destination of a file; `-` is standard output.
    ///
    /// - Throws: `transfer.part-busy` where another process downloads to the same name; an error of the disk;
    ///   `CancellationError`.
    static func open(_ path: String) async throws -> FetchTarget {
        if path == outputPath { return .standardOutput(PartialFile(try unnamedFile())) }
        let (directory, name) = try Directory.ofOutput(path)
        return .file(try await NamedPartialFile.open(name, in: directory))
    }

    /// Creates a file for temporary content, which the system removes when it is closed.
    private static func unnamedFile() throws -> OpenFile {
        let directory = try Directory.open(FileManager.default.temporaryDirectory.path)
        let name = "store-fetch-" + OperationID().rawValue
        let file = try directory.createFile(name, mode: 0o600)
        try directory.remove(name)
        return file
    }

    /// The file to download into.
    var partial: PartialFile {
        switch self {
        case .file(let named): named.partial
        case .standardOutput(let partial): partial
        }
    }

    /// Delivers the complete file: gives it its name, or writes it to standard output.
    func deliver(_ done: DownloadedFile, isDurable: Bool) throws {
        switch self {
        case .file(let named): try named.commit(done, isDurable: isDurable)
        case .standardOutput(let partial): try Self.write(partial.file, size: done.size)
        }
    }

    private static func write(_ file: OpenFile, size: Int) throws(StoreError) {
        var offset = 0
        while offset < size {
            let bytes = try file.read(count: min(1 << 20, size - offset), at: offset)
            guard !bytes.isEmpty else { break }
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(SystemCallError) in try FileDescriptor.standardOutput.writeAll(bytes) }
            }
            do throws(SystemCallError) {
                try result.get()
            } catch {
                throw StoreError(error, path: "standard output")
            }
            offset += bytes.count
        }
    }

    /// Ends a download that did not succeed, and returns the number of bytes that are kept for a later run.
    func abandon() -> Int {
        switch self {
        // What failed before is reported, and not that its traces could not be removed.
        case .file(let named): (try? named.abandon()) ?? 0
        case .standardOutput: 0
        }
    }
}
