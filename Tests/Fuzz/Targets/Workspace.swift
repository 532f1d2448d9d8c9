import Dispatch
import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization

/// A temporary directory of the process, with an open file for the bytes of each input.
///
/// `scripts/fuzz` sets the temporary directory to one in memory.
final class Workspace: Sendable {
    static let shared = try? Workspace()
    let folder: Directory
    let file: OpenFile
    private let temporary: TemporaryFolder

    private init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.directory
        file = try folder.createFile("input")
        // A program that libFuzzer ends runs no deinitializers.
        atexit { Workspace.remove() }
    }

    private static func remove() {
        guard let shared, let parent = try? Directory.open(shared.folder.path + "/..") else { return }
        try? parent.removeTree(String(shared.folder.path.split(separator: "/").last ?? ""))
    }

    /// Returns the file with these bytes as its only content.
    static func file(_ bytes: [UInt8]) throws -> OpenFile {
        let file = try required().file
        try file.truncate(to: 0)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    /// Runs `body` with an empty directory, which is removed afterwards.
    static func withFolder<Value>(_ body: (Directory) throws -> Value) throws -> Value {
        let folder = try required().folder
        let name = "folder"
        try folder.removeTree(name)
        try folder.makeDirectory(name)
        let value = try body(folder.openDirectory(name))
        // The home is that of the daemon of another target in the same process.
        requireSame(try folder.names().filter { $0 != "home" }, [name, "input"], "what lies beside the folder")
        try folder.removeTree(name)
        return value
    }

    static func required() throws -> Workspace {
        guard let shared else { throw POSIXError(.ENOENT) }
        return shared
    }
}

extension HomePaths {
    /// Returns paths beneath one directory, including those of the system.
    static func alone(in folder: String) throws -> HomePaths {
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        var places = try HomePaths(facts, home: folder)
        places.systemSettings = folder + "/none.json"
        return places
    }
}

/// Waits for asynchronous work, because libFuzzer calls synchronously.
func waiting<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task {
        do { box.set(.success(try await body())) } catch { box.set(.failure(error)) }
        done.signal()
    }
    done.wait()
    return try box.take()
}

private final class Box<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

    func take() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw POSIXError(.EINTR) }
        return try result.get()
    }
}
