import Glibc
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ShellCommandTests {
    @Test func `signals of the terminal and of the pipe are ignored only while the command runs`() async throws {
        // In a process of its own, because signals concern the whole process.
        await #expect(processExitsWith: .success) {
            let signals = [SIGINT, SIGQUIT, SIGPIPE].map { Signal(rawValue: $0) }
            // Where the tests run in the background of a shell, it ignores some of them.
            for each in signals { _ = signal(each.rawValue, SIG_DFL) }
            let folder = try TemporaryFolder()
            let file = folder.path + "/ignored"
            let command = "sed -n 's/^SigIgn:[[:space:]]*//p' /proc/$PPID/status > \"$FILE\""
            #expect(try ShellCommand.run(command, input: "", variables: ["FILE": file]) == 0)
            // A bit mask, whose lowest bit is signal 1 (proc_pid_status(5)).
            let line = String(decoding: try OpenFile.open(file).readAll(limit: 100), as: UTF8.self)
            let mask = try #require(UInt64(line.dropLast(), radix: 16))
            for each in signals {
                #expect(mask >> UInt64(each.rawValue - 1) & 1 == 1, "\(each)")
                #expect(!each.isIgnored, "\(each)")
            }
        }
    }

    /// A pipe holds 64 KiB.
    @Test(.hangGuard) func `a command may print before it has read its whole input`() async throws {
        await #expect(processExitsWith: .success) {
            let input = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0) }
            let result = try ShellCommand.output(of: "cat; exit 3", input: input, limit: 1 << 20)
            #expect(result.exitCode == 3 && result.output == input)
            let cut = try ShellCommand.output(of: "cat", input: input, limit: 10)
            #expect(cut.exitCode == 0 && cut.output == Array(input[..<10]))
            #expect(try ShellCommand.output(of: "exit 4", input: input) == (4, []))
            #expect(
                try ShellCommand.run("cat >/dev/null; exit 5", input: String(repeating: "text ", count: 1 << 16)) == 5)
        }
    }
}
