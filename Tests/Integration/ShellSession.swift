import Foundation
import StoreTestSupport
import Testing

/// A shell that runs interactively in a terminal of tmux, to which tests send keys and whose screen they read.
final class ShellSession: Sendable {
    enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    private static let tmux = "/usr/bin/tmux"
    /// Whether tmux and all shells are installed.
    static var isAvailable: Bool {
        ([tmux] + Shell.allCases.map { "/usr/bin/\($0.rawValue)" }).allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let server: Programs.Running
    private var socket: String { folder.path + "/tmux" }

    /// Starts a shell that has read the completion script of `storectl`.
    ///
    /// - Parameters:
    ///   - script: the completion script for the shell.
    ///   - environment: the environment of the shell.
    ///   - directory: the working directory of the shell.
    init(_ shell: Shell, script: String, environment: [String: String], in directory: String) async throws {
        let folder = try TemporaryFolder()
        let scriptPath = folder.path + "/completions"
        try script.write(toFile: scriptPath, atomically: true, encoding: .utf8)
        let start: (file: String, setup: String, command: String) =
            switch shell {
            case .bash:
                (
                    "bashrc", "PS1='ready> '; source '\(scriptPath)'",
                    "bash --noprofile --rcfile \(folder.path)/bashrc -i"
                )
            case .zsh:
                (
                    ".zshrc", "PS1='ready> '; autoload -U compinit; compinit -u -D; source '\(scriptPath)'", "zsh -i"
                )
            case .fish:
                (
                    "init.fish",
                    """
                    set fish_greeting; set -g fish_autosuggestion_enabled 0
                    function fish_prompt; echo -n 'ready> '; end
                    source '\(scriptPath)'
                    """, "fish --init-command 'source \(folder.path)/init.fish'"
                )
            }
        try start.setup.write(toFile: "\(folder.path)/\(start.file)", atomically: true, encoding: .utf8)
        self.folder = folder
        self.environment = environment.merging(
            [
                "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder.path, "ZDOTDIR": folder.path,
                "XDG_CONFIG_HOME": folder.path + "/config", "XDG_DATA_HOME": folder.path + "/data",
                "SHELL": "/bin/sh", "PATH": Programs.folder + ":/usr/bin:/bin",
            ]) { $1 }
        server = try Programs.start(
            Self.tmux, ["-D", "-S", folder.path + "/tmux", "-f", "/dev/null"], environment: self.environment)
        try await eventually { FileManager.default.fileExists(atPath: folder.path + "/tmux") }
        try await tmux("new-session", "-d", "-x", "200", "-y", "50", "-c", directory, start.command)
        try await until { _ in true }
    }

    // The end of the server ends the shell, whose terminal is gone.
    deinit { server.signal(SIGTERM) }

    /// Types a text and presses Tab, waits until the line is completed, and discards the line.
    ///
    /// A shell that handles Ctrl-C late may discard what was typed after it, and candidates that come too late are not
    /// inserted. Both happen on a busy machine, and a person would begin again: so does this method, until the test's
    /// time limit.
    func completes(_ text: String, to expected: String) async throws {
        while true {
            try await discardLine()
            try await tmux("send-keys", "-l", text)
            guard try await shows(text) else { continue }
            for _ in 0..<3 {
                try await tmux("send-keys", "Tab")
                if try await shows(expected) { return try await discardLine() }
            }
        }
    }

    /// Presses Ctrl-C until there is nothing after the prompt.
    ///
    /// A shell that is still completing ignores the key.
    private func discardLine() async throws {
        while try await line() != "" {
            try await tmux("send-keys", "C-c")
            _ = try await polled { $0.isEmpty }
        }
    }

    /// Waits some seconds until what follows the last prompt begins with a text, and returns whether it does.
    private func shows(_ text: String) async throws -> Bool { try await polled { $0.hasPrefix(text) } }

    /// Reads the line again and again, for some seconds or until it satisfies a condition, and returns whether it does.
    private func polled(_ condition: (String) -> Bool) async throws -> Bool {
        for _ in 0..<250 {
            if try await line().map(condition) == true { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Returns what follows the last prompt on the screen; `nil` if there is no prompt.
    private func line() async throws -> String? {
        let prompt = "ready>"
        let lines = try await tmux("capture-pane", "-p", "-J").split(separator: "\n")
        return lines.last { $0.hasPrefix(prompt) }?.dropFirst(prompt.count).trimmingCharacters(in: .whitespaces)
    }

    /// Waits until what follows the last prompt satisfies a condition; the test's time limit ends the wait.
    private func until(_ condition: (String) -> Bool) async throws {
        while try await line().map(condition) != true { try await Task.sleep(for: .milliseconds(20)) }
    }

    @discardableResult
    private func tmux(_ arguments: String...) async throws -> String {
        let result = try await Programs.run(
            Self.tmux, ["-S", socket, "-f", "/dev/null"] + arguments, environment: environment)
        try #require(result.exit == 0, "tmux \(arguments): \(result)")
        return result.output
    }
}
