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
                if order.directories.isEmpty { try Self.forge(order) }
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

    /// Writes other files for the packs than those in their archives.
    private static func forge(_ order: WorkerOrder) throws {
        for _ in order.archives {
            var pack = MemoryDirectory.Encoding(entries: 1, size: 6)
            pack.addFile("a.png", size: 6)
            "forged".withCString { pack.append(UnsafeRawBufferPointer(start: $0, count: 6)) }
            try pack.bytes.withUnsafeBytes { try order.output?.write($0) }
        }
    }
}
