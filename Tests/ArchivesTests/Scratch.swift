import FoundationEssentials
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// A temporary directory with helpers for archives.
final class Scratch: Sendable {
    private let temporary: TemporaryFolder
    var folder: Directory { temporary.directory }

    init() throws { temporary = try TemporaryFolder() }

    var path: String { folder.path }

    /// Creates a file with these bytes and returns it open.
    func file(_ bytes: [UInt8], as name: String = UUID().uuidString) throws -> OpenFile {
        let file = try folder.createFile(name)
        try bytes.withUnsafeBytes { try file.write($0) }
        return file
    }

    func archive(_ forge: ZipForge, limits: ArchiveLimits = ArchiveLimits()) throws -> Archive {
        try Archive(file(forge.build()), limits: limits)
    }

    func unpack(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws -> (Directory, UnpackReport) {
        let target = try folder.createDirectory(UUID().uuidString)
        return (target, try Unpacker().unpack(file(bytes), into: target, limits: limits))
    }

    /// Returns the bytes of all files beneath a directory by path.
    static func contents(of folder: Directory, _ prefix: String = "") throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for entry in try folder.entries() {
            if entry.kind == .folder {
                let inner = try Scratch.contents(of: folder.openDirectory(entry.name), prefix + entry.name + "/")
                contents.merge(inner) { $1 }
            } else {
                contents[prefix + entry.name] = Array(try folder.read(entry.name))
            }
        }
        return contents
    }
}

/// Returns the error code with which the reader or the unpacker refuses an archive; `nil` if it is accepted.
func verdict(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws -> String? {
    let scratch = try Scratch()
    do {
        let (folder, report) = try scratch.unpack(bytes, limits: limits)
        // The same in memory, where there is less room.
        if report.size <= 1 << 20 {
            let unpacked = try Unpacker().unpackInMemory(
                [scratch.file(bytes)], limits: limits, cancellation: CancellationFlag())
            #expect(unpacked.reports == [report])
            let files = unpacked.contents.trees[0].files.map { ($0.path, Array($0.bytes)) }
            #expect(try Dictionary(uniqueKeysWithValues: files) == Scratch.contents(of: folder))
        }
        return nil
    } catch let error as StoreError {
        #expect(error.code.exitCode == .refused)
        #expect(error.message.contains("was rejected: ") && !error.message.utf8.contains { $0 < 0x20 })
        if error.code != .archiveTooLarge {
            let inMemory = #expect(throws: StoreError.self) {
                _ = try Unpacker().unpackInMemory(
                    [scratch.file(bytes)], limits: limits, cancellation: CancellationFlag())
            }
            #expect(inMemory?.code == error.code)
        }
        return error.code.rawValue
    }
}

func verdict(_ forge: ZipForge, limits: ArchiveLimits = ArchiveLimits()) throws -> String? {
    try verdict(forge.build(), limits: limits)
}

func text(_ text: String) -> [UInt8] { Array(text.utf8) }
