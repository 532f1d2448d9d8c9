import Foundation
import StoreModel

/// A download of one file by `storectl fetch`, without a daemon.
struct FetchSubject: CommandSubject {
    let name: String
    /// The directory before the command.
    let before: FolderTree
    private let url: String
    private let file: (name: String, bytes: Data)
    private let options: [String]

    static func all(_ store: CrashStore) -> [any CrashSubject] {
        let file = store.fetched
        var resumed = FolderTree()
        resumed.entries[file.name + ".part"] = .file(file.bytes.prefix(100_000))
        let url = store.formatOneURL + file.name
        // Only a hash proves that the bytes of another run belong to the file.
        let options = ["--sync", "--sha256", SHA256Digest(of: file.bytes).hex]
        return [
            FetchSubject(name: "fetch", before: FolderTree(), url: url, file: file, options: ["--sync"]),
            FetchSubject(name: "fetch, resumed", before: resumed, url: url, file: file, options: options),
        ]
    }

    private func fetch(_ worker: CrashWorker, _ preloaded: [String: String] = [:]) async throws -> Programs.Result {
        let words = ["fetch", url, "--quiet", "--attempts", "1", "--output", worker.home + "/" + file.name]
        let environment = ["PATH": "/usr/bin:/bin", "HOME": worker.folder.path]
        let program = try Programs.start(
            "storectl", words + options, environment: environment.merging(preloaded) { $1 })
        return try await worker.end(of: program, "storectl fetch")
    }

    var initial: FolderTree? { before }

    func execute(_ worker: CrashWorker, _ preloaded: [String: String]) async throws -> Programs.Result {
        try await fetch(worker, preloaded)
    }

    /// Checks that the file is missing or complete, and that another run completes it and leaves nothing else.
    ///
    /// - Returns: whether the file is there.
    func check(_ worker: CrashWorker, isConfirmed: Bool) async throws -> Bool {
        let found = try worker.tree().files[file.name]
        guard found == nil || found == file.bytes else {
            throw CrashWorker.Wrong(description: "\(file.name) has \(found?.count ?? 0) bytes, not the right ones")
        }
        guard found != nil || !isConfirmed else {
            throw CrashWorker.Wrong(description: "success was confirmed, but there is no file")
        }
        let again = try await fetch(worker)
        guard again.exit == 0 else { throw CrashWorker.Wrong(description: "tried again: \(again)") }
        let last = try worker.tree()
        guard last.entries == [file.name: .file(file.bytes)] else {
            throw CrashWorker.Wrong(description: "tried again, and there is: \(last.entries.keys.sorted())")
        }
        return found != nil
    }
}

extension CrashFault {
    /// Checks how a program ended that may have been affected by the fault.
    ///
    /// - Parameter isHit: whether the program made the call with the fault.
    func check(_ result: Programs.Result, isHit: Bool) throws {
        let expected: [Int32] =
            switch action {
            case .count: [0]
            case .kill, .tear: isHit ? [128 + SIGKILL] : [0]
            case .fail: [0, [ENOSPC, EDQUOT].contains(number) ? 6 : 1]
            }
        guard expected.contains(result.exit), result.exit == 0 || action != .fail || !result.errors.isEmpty else {
            throw CrashWorker.Wrong(description: "answers so: \(result)")
        }
    }
}
