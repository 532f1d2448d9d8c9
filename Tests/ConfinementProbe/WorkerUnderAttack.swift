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
            // Of several archives, the first that attacks has the worker, and writes files for the others.
            for (number, (archive, directory)) in zip(order.archives, order.directories).enumerated() {
                let start = String(decoding: try archive.read(count: 4096, at: 0), as: UTF8.self)
                let words = start.split(separator: " ", maxSplits: 2).map(String.init)
                guard words.count >= 2, words[0] == "attack", let attempt = Attempt.all[words[1]] else { continue }
                for (other, directory) in order.directories.enumerated() where other != number {
                    try directory.createFile("a.png").write(Array("forged".utf8), at: 0)
                }
                let files = FilesBeforeConfinement(
                    directory: directory, sockets: (order.report.rawValue, -1), inherited: -1, parent: helper,
                    path: words.count > 2 ? words[2] : "", archive: archive.descriptor, report: order.report.rawValue)
                let result = try attempt(files)
                try directory.createFile("result.txt").write(Array("\(result)".utf8), at: 0)
                return true
            }
            return false
        }).run(socket)
    }
}
