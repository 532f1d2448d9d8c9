import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Runs the built programs of the package as a user does.
enum Programs {
    /// The directory of the programs: beside the tests, unless `STORECTL_TEST_PROGRAMS` names another, such as that of
    /// a release build for measurements of time and memory.
    static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["STORECTL_TEST_PROGRAMS"] { return folder }
        let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (test.map { ($0 as NSString).deletingLastPathComponent }) ?? ".build/debug"
    }()

    static func path(_ name: String) -> String { folder + "/" + name }

    /// Copies a program.
    ///
    /// No program that another test starts can inherit the copy open for writing, as it could with Foundation; while
    /// one does, the copy can't be executed.
    static func copy(_ name: String, to copy: String) throws {
        let source = open(path(name), O_RDONLY | O_CLOEXEC)
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        defer { for descriptor in [source, target] where descriptor >= 0 { close(descriptor) } }
        var count = source >= 0 && target >= 0 ? 1 : -1
        while count > 0 { count = sendfile(target, source, nil, 1 << 30) }
        guard count == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// The result of a program that has ended.
    struct Result: Sendable, CustomStringConvertible {
        let exit: Int32
        let output: String
        let errors: String

        var description: String { "exit \(exit)\n--- output\n\(output)\n--- errors\n\(errors)" }

        /// The JSON document on standard output.
        var json: [String: JSONValue] {
            get throws { try JSONDecoder().decode([String: JSONValue].self, from: Data(output.utf8)) }
        }
    }

    /// Runs a program to its end, without a terminal and with empty standard input.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String], input: String? = nil
    ) async throws -> Result {
        try await start(program, arguments, environment: environment, input: input).result()
    }

    /// Starts a program and returns at once.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String], input: String? = nil
    ) throws -> Running {
        let environment = Sanitizers.environment.merging(environment) { _, own in own }
        return try Running(program.hasPrefix("/") ? program : path(program), arguments, environment, input)
    }

    /// A running program.
    ///
    /// Its output goes to files, so that it never blocks, and a daemon that it starts holds no pipe of the test open.
    final class Running: Sendable {
        private let process: ChildProcess
        private let folder: TemporaryFolder
        private let command: String

        fileprivate init(
            _ path: String, _ arguments: [String], _ environment: [String: String], _ input: String?
        ) throws {
            let folder = try TemporaryFolder()
            let inputPath = input == nil ? "/dev/null" : folder.path + "/input"
            if let input { try Data(input.utf8).write(to: URL(filePath: inputPath)) }
            process = try ChildProcess(
                path, arguments, environment: environment, input: inputPath, output: folder.path + "/output",
                errors: folder.path + "/errors")
            self.folder = folder
            command = ([path] + arguments).joined(separator: " ")
        }

        var pid: Int32 { process.pid }
        var isRunning: Bool { process.isRunning }
        /// The output so far.
        var output: String { (try? String(contentsOfFile: folder.path + "/output", encoding: .utf8)) ?? "" }
        var errors: String { (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? "" }
        /// The files that receive the output.
        var outputFiles: [String] { [folder.path + "/output", folder.path + "/errors"] }

        func signal(_ number: Int32) { process.signal(number) }

        /// Waits for the end; a signal counts as 128 plus its number, as in a shell.
        ///
        /// If the test is cancelled, as its time limit does, the program is killed, because a program that hangs would
        /// prevent the test run from ending.
        func result() async throws -> Result {
            let exit = await withTaskCancellationHandler {
                await process.result()
            } onCancel: {
                process.signal(SIGKILL)
            }
            let result = Result(exit: exit, output: output, errors: errors)
            if Task.isCancelled {
                Issue.record("the program was running when the test was cancelled: \(command)\n\(result)")
            }
            try Task.checkCancellation()
            return result
        }
    }
}
