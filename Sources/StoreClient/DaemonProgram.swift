import FoundationEssentials
import StoreModel
import StoreSystem

/// The daemon's program, and how it is started.
struct DaemonProgram: Sendable {
    let path: String

    static let name = "stored"

    /// Finds the program: where it was said to be, else beside the one that runs, else on `PATH`.
    static func find(_ named: String?, environment: [String: String]) throws(StoreClientError) -> DaemonProgram {
        if let named {
            guard let program = InstalledProgram(path: named) else {
                throw StoreClientError(.daemonNotStarted, "There is no program '\(named)' to start the daemon with.")
            }
            return DaemonProgram(path: program.path)
        }
        guard let program = InstalledProgram.find(name, environment: environment) else {
            throw StoreClientError(
                .daemonNotStarted,
                "The daemon does not run, and its program '\(name)' is neither beside this one nor on PATH. "
                    + "Install it there.")
        }
        return DaemonProgram(path: program.path)
    }

    /// Starts the daemon of these places, in a session of its own, without any of our open files. Its standard error
    /// becomes a log in the cache folder.
    func start(for places: HomePaths) throws -> DaemonStart {
        let log: DaemonLog
        do {
            log = try DaemonLog(folder: places.cache)
        } catch {
            throw StoreClientError(
                .homeNotWritable,
                "The home folder '\(places.cache)' can't be written. \(error.message) "
                    + "Put it right, or name another with --home.")
        }
        let words = [path] + (places.home.map { ["--home", $0] } ?? [])
        do {
            return DaemonStart(program: path, process: try .start(words, errors: log.file), log: log)
        } catch {
            throw StoreClientError(.daemonNotStarted, "The daemon can't be started. \(error.message)")
        }
    }
}

extension ErrorCode {
    /// A folder of the home can't be made or written.
    static let homeNotWritable = ErrorCode("home.unwritable", .daemon)
}

/// A daemon that was started and is watched until it answers, or until it has ended.
final class DaemonStart: Sendable {
    private let program: String
    private let process: DetachedProcess
    private let log: DaemonLog

    fileprivate init(program: String, process: DetachedProcess, log: DaemonLog) {
        self.program = program
        self.process = process
        self.log = log
    }

    /// The exit code of the daemon if it has ended, else `nil`. Not to be asked again after the end.
    func exitCode() -> Int32? { process.exitCode() }

    /// Lets the daemon go on alone.
    func release() { process.release() }

    /// What to tell of a daemon that ended with `code` instead of listening.
    func failure(code: Int32) -> StoreClientError {
        if code == 127, log.text().isEmpty {
            return StoreClientError(.daemonNotStarted, "The daemon's program '\(program)' can't be run.")
        }
        let said = log.lastWords
        return StoreClientError(
            .daemonNotStarted,
            "The daemon could not be started: " + (said.isEmpty ? "'\(program)' ended with code \(code)." : said))
    }

    /// What to tell of a daemon that does not come to listen.
    func timeout(_ limit: Duration) -> StoreClientError {
        let said = log.lastWords
        return StoreClientError(
            .daemonUnreachable,
            "The daemon '\(program)' was started and does not answer within \(Int(limit.seconds)) s. "
                + (said.isEmpty ? "Its log is '\(log.path)'." : said))
    }
}

/// Where a daemon writes its errors that was not started by a service manager: `stored.log` in the cache folder.
struct DaemonLog: Sendable {
    /// A log that has grown beyond this is begun anew with the next start.
    private static let longest = 1 << 20

    let file: OpenFile
    private let start: Int
    var path: String { file.path }

    init(folder: String) throws(FileError) {
        let folder = try Directory.create(folder)
        let name = "stored.log"
        file = try folder.openOrCreateFile(name)
        if try file.status().size > Self.longest { try file.truncate(to: 0) }
        start = try file.status().size
        // Several that start at once must not write over one another.
        FileDescriptor(rawValue: file.descriptor).setAppending()
    }

    /// What was written since the start, at most its last few kilobytes.
    func text() -> String {
        guard let size = try? file.status().size, size > start else { return "" }
        let from = max(start, size - 4096)
        return String(decoding: (try? file.read(count: size - from, at: from)) ?? [], as: UTF8.self)
    }

    /// The last line or two, without the program's name in front.
    var lastWords: String {
        let lines = text().split(separator: "\n").suffix(2).map { line in
            ["\(DaemonProgram.name): ", "error: "].first { line.hasPrefix($0) }
                .map { String(line.dropFirst($0.count)) } ?? String(line)
        }
        return lines.joined(separator: " ")
    }
}
