import Foundation
import StoreClient
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Executes one run after the other, each with a fresh copy of a prepared home.
final class CrashWorker: Sendable {
    let folder: TemporaryFolder
    let home: String
    let control: CrashControl
    let client: StoreClient
    let shim: CrashShim
    private let programs: IsolatedPrograms
    private let environment: [String: String]

    /// The time after which anything counts as hanging, even on the slowest machine that does other things as well.
    static let patience = Duration.seconds(600)

    init(shim: CrashShim, programs: IsolatedPrograms) throws {
        self.shim = shim
        self.programs = programs
        folder = try TemporaryFolder(inMemory: true)
        home = folder.path + "/home"
        control = try CrashControl(in: folder.path)
        let environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "NO_COLOR": "1", "STORECTL_HOME": home,
            "XDG_DATA_DIRS": folder.path,
            "STORECTL_CATALOGUE_REFRESH_AFTER": "86400", "STORECTL_DOWNLOADS_RETRY_DELAY": "20",
            "STORECTL_DAEMON_IDLE_TIMEOUT": "120",
        ]
        self.environment = environment.merging(Sanitizers.environment) { $1 }
        let places = try HomePaths(
            HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home)
        client = StoreClient(home: places, startingDaemon: .never, languages: [])
    }

    func put(_ tree: FolderTree?) throws {
        try Directory.open(folder.path).removeTree("home")
        if let tree { try tree.write(to: home) }
    }

    func tree() throws -> FolderTree { try FolderTree(of: home) }

    // MARK: Programs

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - preloaded: whether its calls are counted, and may be killed or fail.
    ///   - record: a file for the effect of each call.
    ///   - lacksExchange: whether the file system is to be one that can't exchange two directories.
    ///   - isOtherBoot: whether the machine has started again since the last daemon.
    func startDaemon(
        preloaded: Bool, record: String? = nil, lacksExchange: Bool = false, isOtherBoot: Bool = false
    ) throws -> Programs.Running {
        var environment = environment
        if isOtherBoot {
            let boot = folder.path + "/boot"
            try Data("\(UUID().uuidString.lowercased())\n".utf8).write(to: URL(filePath: boot))
            environment.merge(shim.variables(boot: boot)) { $1 }
        }
        if preloaded || lacksExchange {
            let variables = shim.variables(home: home, control: control, record: record, lacksExchange: lacksExchange)
            environment.merge(variables) { $1 }
        }
        return try Programs.start(programs.stored, ["--home", home], environment: environment)
    }

    /// Starts the daemon under another program, whose last arguments are the daemon's command line.
    func startDaemon(under words: [String]) throws -> Programs.Running {
        try Programs.start(
            words[0], words.dropFirst() + [programs.stored, "--home", home], environment: environment)
    }

    /// Waits until the daemon of the home responds.
    func untilAnswering(_ program: Programs.Running) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while program.isRunning, ContinuousClock.now < deadline {
            if (try? await client.status()) != nil { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Hangs(what: "the daemon does not answer: \(program.errors)")
    }

    /// Waits until the daemon responds or has ended.
    ///
    /// - Returns: whether it responds.
    func untilListening(_ daemon: Programs.Running) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.patience
        while daemon.isRunning {
            // Cheapest first: until it listens, this is asked hundreds of times a second.
            if daemon.errors.contains(" listening "),
                let data = FileManager.default.contents(atPath: home + "/data/stored.lock"),
                let lock = try? JSON.decode(JSONValue.self, from: data), lock["pid"].number == Double(daemon.pid),
                lock["socket"].text?.isEmpty == false
            {
                return true
            }
            guard ContinuousClock.now < deadline else {
                throw Hangs(what: "the daemon does not come to listen: \(daemon.errors)")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        return false
    }

    /// Runs commands of `storectl` concurrently, to their ends.
    func run(_ commands: [[String]]) async throws -> [Programs.Result] {
        let running = try commands.map { try Programs.start(programs.storectl, $0, environment: environment) }
        var results: [Programs.Result] = []
        for (program, words) in zip(running, commands) { results.append(try await end(of: program, words[0])) }
        return results
    }

    /// Waits for the end of a program, which must end.
    func end(of program: Programs.Running, _ name: String) async throws -> Programs.Result {
        try await withThrowingTaskGroup(of: Programs.Result?.self) { group in
            group.addTask { try await program.result() }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            let threads = Self.threads(of: program.pid)
            program.signal(SIGKILL)
            throw Hangs(what: "\(name) does not end; it said: \(program.errors)\n\(threads)")
        }
    }

    struct Hangs: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    /// Returns what the threads of a process are waiting for.
    private static func threads(of process: Int32) -> String {
        let folder = "/proc/\(process)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { thread in
            ["comm", "wchan", "syscall"].map { name in
                let text = try? String(contentsOfFile: "\(folder)/\(thread)/\(name)", encoding: .utf8)
                return text?.trimmingCharacters(in: .newlines) ?? ""
            }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Ends the daemon like a service manager.
    @discardableResult
    func stop(_ daemon: Programs.Running) async throws -> Programs.Result {
        daemon.signal(SIGTERM)
        return try await end(of: daemon, "the daemon")
    }

    /// Runs `body` with a daemon without faults, and kills the daemon afterwards.
    ///
    /// - Parameters:
    ///   - lacksExchange: whether the file system is to be one that can't exchange two directories.
    ///   - isOtherBoot: whether the machine has started again since the last daemon.
    func withDaemon<Value>(
        lacksExchange: Bool = false, isOtherBoot: Bool = false, _ body: (Programs.Running) async throws -> Value
    ) async throws -> Value {
        if lacksExchange { try control.disarm() }
        let daemon = try startDaemon(preloaded: false, lacksExchange: lacksExchange, isOtherBoot: isOtherBoot)
        do {
            guard try await untilListening(daemon) else {
                throw Refused(description: "the next daemon does not start: \(try await daemon.result())")
            }
            let value = try await body(daemon)
            daemon.signal(SIGKILL)
            _ = try await daemon.result()
            return value
        } catch {
            daemon.signal(SIGKILL)
            _ = try await daemon.result()
            throw error
        }
    }

    struct Refused: Error, CustomStringConvertible { let description: String }
}
