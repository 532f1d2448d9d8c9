import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// A publisher's store, and one command of `storehouse`.
struct StorehouseSubject: CommandSubject {
    let name: String
    /// The arguments of `storehouse`, in which `STORE` stands for the store's directory and `PACKS` for that of the
    /// packs.
    let words: [String]
    /// The store before the command, and after it if nothing fails.
    let before: FolderTree?
    let after: FolderTree

    static func all(_ worker: CrashWorker) async throws -> [any CrashSubject] {
        var subjects: [any CrashSubject] = []
        var tree: FolderTree?
        let steps = [
            ("storehouse init", ["init", "STORE"]),
            ("storehouse add", ["add", "STORE", "PACKS/1/cups"]),
            ("", ["add", "STORE", "PACKS/1/cats"]),
            ("storehouse publish", ["publish", "STORE"]),
            ("", ["add", "STORE", "PACKS/2/cups", "--version", "2.0.0"]),
            ("storehouse publish, again", ["publish", "STORE"]),
            ("storehouse withdraw", ["withdraw", "STORE", "cats"]),
            ("storehouse publish, a third time", ["publish", "STORE"]),
        ]
        for (name, words) in steps {
            try worker.put(tree)
            let result = try await storehouse(words, worker)
            try #require(result.exit == 0, "storehouse \(words): \(result)")
            let after = try worker.tree()
            if !name.isEmpty {
                subjects.append(StorehouseSubject(name: name, words: words, before: tree, after: after))
            }
            tree = after
        }
        return subjects
    }

    /// Runs a command of `storehouse`.
    ///
    /// - Parameters:
    ///   - words: its arguments, with `STORE` and `PACKS`.
    ///   - preloaded: the variables of the preloaded library.
    ///   - program: a program to run it under, whose last arguments are the command line.
    static func storehouse(
        _ words: [String], _ worker: CrashWorker, _ preloaded: [String: String] = [:], under program: [String] = []
    ) async throws -> Programs.Result {
        let running = try start(words, worker, preloaded, under: program)
        return try await worker.end(of: running, "storehouse")
    }

    /// Starts a command of `storehouse`.
    static func start(
        _ words: [String], _ worker: CrashWorker, _ preloaded: [String: String], under program: [String]
    ) throws -> Programs.Running {
        let packs = worker.folder.path + "/packs"
        if !FileManager.default.fileExists(atPath: packs) {
            for version in [1, 2] {
                for id in ["cups", "cats"] {
                    let folder = try Directory.create("\(packs)/\(version)/\(id)/more").path
                    for (name, data) in CrashStore.files(id, version) {
                        try data.write(to: URL(filePath: folder).deletingLastPathComponent().appending(path: name))
                    }
                }
            }
        }
        let environment = ["PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "1700000000"]
            .merging(Sanitizers.environment) { $1 }.merging(preloaded) { $1 }
        let words = words.map {
            $0 == "STORE" ? worker.home : $0.replacing("PACKS", with: packs)
        }
        let command = program + [Programs.path("storehouse")] + words
        return try Programs.start(command[0], Array(command.dropFirst()), environment: environment)
    }

    // MARK: Runs

    var initial: FolderTree? { before }

    func execute(_ worker: CrashWorker, _ preloaded: [String: String]) async throws -> Programs.Result {
        try await Self.storehouse(words, worker, preloaded)
    }

    // MARK: Invariants

    private static let index = "public/catalogue.json"

    /// Checks the invariants.
    ///
    /// - Returns: whether the command took effect.
    func check(_ worker: CrashWorker, isConfirmed: Bool) async throws -> Bool {
        let found = try worker.tree()
        let isNew = try isNew(found)
        guard isNew || !isConfirmed else {
            throw CrashWorker.Wrong(description: "success was confirmed, but the store is unchanged")
        }
        let again = try await Self.storehouse(words, worker)
        guard again.exit == 0 else { throw CrashWorker.Wrong(description: "tried again: \(again)") }
        let last = try worker.tree()
        guard try self.isNew(last) else { throw CrashWorker.Wrong(description: "tried again, and is as before") }
        let known = Set(after.entries.keys).union(before?.entries.keys ?? [:].keys)
        let others = last.entries.keys.filter { !known.contains($0) && $0 != "objects/incoming" }
        guard others.isEmpty else { throw CrashWorker.Wrong(description: "lies about: \(others.sorted())") }
        return isNew
    }

    /// Returns whether the store is in the new state; throws if it is neither complete nor in the old state.
    private func isNew(_ tree: FolderTree) throws -> Bool {
        let files = tree.files
        for path in ["store.json", Self.index] {
            guard files[path] == after.files[path] || files[path] == before?.files[path] else {
                throw CrashWorker.Wrong(description: "\(path) is neither as before nor as after")
            }
        }
        let shown = files[Self.index] == after.files[Self.index] ? after : before ?? after
        for path in Self.shown(by: shown.files) where files[path] != shown.files[path] {
            throw CrashWorker.Wrong(description: "\(path) is missing or not whole")
        }
        return files["store.json"] == after.files["store.json"] && files[Self.index] == after.files[Self.index]
    }

    /// Returns the files that clients reach from a catalogue, through documents and hashes.
    private static func shown(by files: [String: Data]) -> Set<String> {
        var paths: Set<String> = []
        var rest = files[index].map { [$0] } ?? []
        while let document = rest.popLast() {
            let text = String(decoding: document, as: UTF8.self)
            for (path, data) in files where path.hasPrefix("public/") {
                let hash = URL(filePath: path).deletingPathExtension().lastPathComponent
                guard hash.count == 64, text.contains(hash), paths.insert(path).inserted else { continue }
                if path.hasSuffix(".json") { rest.append(data) }
            }
        }
        return paths
    }
}
