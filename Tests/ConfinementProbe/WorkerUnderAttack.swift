import Glibc
import StoreSystem
import StoreWorker

/// A worker that does what an archive says in place of reading it, as one that an archive has taken over could.
///
/// Such an archive is the text `attack NAME PATH`. The result of the attempt, 0 or the number of the error, becomes the
/// file `result.txt` of the pack. An archive of any other content is unpacked as usual; the content of packs is not
/// checked.
struct WorkerUnderAttack {
    /// The id of the helper, which started the worker.
    let helper: Int32

    func run(_ socket: MessageSocket) throws {
        try WorkerProgram(attack: { order in
            for (number, archive) in order.archives.enumerated() {
                let start = String(decoding: try archive.read(count: 4096, at: 0), as: UTF8.self)
                let words = start.split(separator: " ", maxSplits: 2).map(String.init)
                guard words.count >= 2, words[0] == "attack", let attempt = Attempt.all[words[1]] else { continue }
                // Packs that are unpacked together come without directories. The first that attacks has the worker.
                if order.directories.isEmpty, let output = order.output {
                    try Self.write(words[1], to: output, for: order.archives.count)
                }
                let directory = order.directories.first ?? Directory(adopting: -1, path: "none")
                let files = FilesBeforeConfinement(
                    directory: directory, sockets: (order.report.rawValue, -1), inherited: -1, parent: helper,
                    path: words.count > 2 ? words[2] : "", archive: archive.descriptor, report: order.report.rawValue)
                let result = try attempt(files)
                if number < order.directories.count {
                    try directory.createFile("result.txt").write(Array("\(result)".utf8), at: 0)
                }
                return true
            }
            return false
        }).run(socket)
    }

    /// Writes something else to the file in memory than the files of the archives.
    private static func write(_ attempt: String, to output: OpenFile, for count: Int) throws {
        switch attempt {
        case "garble-memory": try [UInt8](repeating: 0x41, count: 1000).withUnsafeBytes { try output.write($0) }
        case "fill-memory":
            let block = [UInt8](repeating: 0, count: 1 << 20)
            while (try? block.withUnsafeBytes { try output.write($0) }) != nil {}
        case "leave-memory-empty": break
        default:
            for _ in 0..<count {
                var pack = FileTree.Encoder(entries: 1, size: 6)
                pack.addFile("a.png", size: 6)
                "forged".withCString { pack.append(UnsafeRawBufferPointer(start: $0, count: 6)) }
                try pack.bytes.withUnsafeBytes { try output.write($0) }
            }
        }
    }
}
