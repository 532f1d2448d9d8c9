import FoundationEssentials
import StoreModel
import StoreSystem

/// The location of the daemon's executable, which was found and can be started.
struct DaemonProgram: Sendable {
    let path: String

    static let name = "stored"

    /// Finds the daemon's executable at a given path, else beside the running program, else on `PATH`.
    static func find(_ named: String?, environment: [String: String]) throws(StoreError) -> DaemonProgram {
        if let named {
            guard let program = InstalledProgram(path: named) else {
                throw StoreError(.daemonProgramMissing, ["path": named])
            }
            return DaemonProgram(path: program.path)
        }
        guard let program = InstalledProgram.find(name, environment: environment) else {
            throw StoreError(.daemonProgramNotFound, ["name": name])
        }
        return DaemonProgram(path: program.path)
    }

    /// Starts the daemon in a session of its own, without this process's open files.
    ///
    /// `places` are the directories that the daemon works on.
    ///
    /// The daemon's standard error is appended to a log in the cache directory.
    ///
    /// - Throws: `daemon.not-started`, also for a home that the daemon would refuse, to which nothing is written;
    ///   `home.unwritable`.
    func start(for places: HomePaths) throws -> DaemonStart {
        do {
            if let home = places.home { _ = try PrivateDirectory.open(home, isParent: true) }
        } catch {
            guard [.homeForeign, .homeOpen].contains(error.code) else { throw error }
            let report = ErrorReport(error)
            throw DaemonStart.failure(because: report.message, hint: report.hint)
        }
        let log: DaemonLog
        do {
            log = try DaemonLog(folder: places.cache)
        } catch {
            throw StoreError(.homeDirectoryUnwritable, ["path": places.cache], cause: error)
        }
        let words = [path] + (places.home.map { ["--home", $0] } ?? [])
        do {
            return DaemonStart(program: path, process: try .start(words, errors: log.file), log: log)
        } catch {
            throw StoreError(.daemonStartRefused, cause: error)
        }
    }
}

/// A handle of a daemon that was started, observed until it responds or exits.
final class DaemonStart: Sendable {
    private let program: String
    private let process: DetachedProcess
    private let log: DaemonLog

    fileprivate init(program: String, process: DetachedProcess, log: DaemonLog) {
        self.program = program
        self.process = process
        self.log = log
    }

    /// Returns the exit code of the started daemon once it has exited, else `nil`.
    ///
    /// Not to be called again after the exit.
    func exitCode() -> Int32? { process.exitCode() }

    /// Stops observing the started daemon, which keeps running.
    func release() { process.release() }

    /// Returns the error for a daemon that exited with `code` before it began to listen.
    func failure(code: Int32) -> StoreError {
        let report = log.lastReport
        guard !report.message.isEmpty else { return StoreError(.daemonExited, ["path": program, "code": Int(code)]) }
        return Self.failure(because: report.message, hint: report.hint)
    }

    fileprivate static func failure(because reason: String, hint: String?) -> StoreError {
        guard let hint else { return StoreError(.daemonStartFailed, ["reason": reason]) }
        return StoreError(.daemonStartFailedWithAdvice, ["reason": reason, "advice": hint])
    }

    /// Returns the error for a daemon that did not begin to listen within `limit`.
    func timeout(_ limit: Duration) -> StoreError {
        StoreError(.daemonStartTimedOut, ["path": program, "limit": limit, "log": log.path])
    }
}

/// The log file `stored.log` in the cache directory, used by a daemon that no service manager started.
struct DaemonLog: Sendable {
    /// The size in bytes above which the daemon's log is truncated at the next start.
    private static let longest = 1 << 20

    let file: OpenFile
    private let start: Int
    var path: String { file.path }

    init(folder: String) throws(StoreError) {
        let folder = try Directory.create(folder)
        file = try folder.openOrCreateFile(HomePaths.daemonLogName)
        if try file.status().size > Self.longest { try file.truncate(to: 0) }
        start = try file.status().size
        // Daemons that start at the same time must not overwrite each other's lines.
        FileDescriptor(rawValue: file.descriptor).setAppending()
    }

    /// Returns the text that was written to the log since the daemon's start, at most the last 4 KiB.
    func text() -> String {
        guard let size = try? file.status().size, size > start else { return "" }
        let from = max(start, size - 4096)
        return String(decoding: (try? file.read(count: size - from, at: from)) ?? [], as: UTF8.self)
    }

    /// The last message in the daemon's log, without the program's name, and the hint that followed it, or `nil`.
    var lastReport: (message: String, hint: String?) {
        var lines = text().split(separator: "\n").suffix(2).map(String.init)
        let hint = lines.last.flatMap { Self.text(of: $0, after: "hint: ") }
        if hint != nil { lines.removeLast() }
        let message = lines.map { line in
            Self.text(of: line, after: "\(DaemonProgram.name): ") ?? Self.text(of: line, after: "error: ") ?? line
        }
        return (message.joined(separator: " "), hint)
    }

    private static func text(of line: String, after prefix: String) -> String? {
        line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : nil
    }
}
