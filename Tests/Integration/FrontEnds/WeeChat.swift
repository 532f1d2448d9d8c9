import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A headless WeeChat of Debian with this repository's script for stickers, in the channel `#chat` of a server.
///
/// A second script, of the tests, executes commands and writes what the buffers show.
final class WeeChat: Sendable {
    static let program = "/usr/bin/weechat-headless"
    static let chat = "irc.chat.#chat"
    static let stickers = "python.stickers"

    private let folder: TemporaryFolder
    private let process: ChildProcess

    private static let control = """
        import json, os, weechat
        folder = os.environ["WEECHAT_CONTROL"]
        def tick(data, remaining):
            if os.path.exists(folder + "/command"):
                with open(folder + "/command") as file:
                    buffer, command = json.load(file)
                os.remove(folder + "/command")
                weechat.command(weechat.buffer_search("==", buffer), command)
            result = {}
            buffers = weechat.infolist_get("buffer", "", "")
            while weechat.infolist_next(buffers):
                pointer = weechat.infolist_pointer(buffers, "pointer")
                lines, texts = weechat.infolist_get("buffer_lines", pointer, ""), []
                while weechat.infolist_next(lines):
                    text = [weechat.infolist_string(lines, name) for name in ("prefix", "message")]
                    texts.append(weechat.string_remove_color(" ".join(text), ""))
                weechat.infolist_free(lines)
                result[weechat.infolist_string(buffers, "full_name")] = {
                    "lines": texts, "input": weechat.buffer_get_string(pointer, "input")}
            weechat.infolist_free(buffers)
            with open(folder + "/new", "w") as file:
                json.dump(result, file)
            os.rename(folder + "/new", folder + "/buffers")
            return weechat.WEECHAT_RC_OK
        weechat.register("control", "tests", "1", "Apache-2.0", "", "", "")
        weechat.hook_timer(20, 0, 0, "tick", "")
        """

    init(_ home: TestHome, nick: String, server: ChatServer) async throws {
        folder = try TemporaryFolder()
        let control = folder.path + "/control.py"
        try Self.control.write(toFile: control, atomically: true, encoding: .utf8)
        let commands = [
            "/python load \(control)", "/python load \(FrontEndFiles.stickers)",
            "/set weechat.completion.default_template \"%(nicks)|%(sticker_shortcuts)\"",
            "/server add chat 127.0.0.1/\(server.port) -notls", "/set irc.server.chat.nicks \(nick)",
            "/set irc.server.chat.autojoin #chat", "/connect chat",
        ]
        process = try ChildProcess(
            Self.program, ["-d", folder.path + "/weechat"] + commands.flatMap { ["-r", $0] },
            environment: FrontEndFiles.environment(home, ["WEECHAT_CONTROL": folder.path]),
            output: folder.path + "/output", errors: folder.path + "/errors")
        try await until { try buffers()[Self.chat]?["lines"].elements.isEmpty == false }
    }

    deinit { process.signal(SIGKILL) }

    private func buffers() throws -> [String: JSONValue] {
        guard let data = FileManager.default.contents(atPath: folder.path + "/buffers") else { return [:] }
        return try JSONDecoder().decode([String: JSONValue].self, from: data)
    }

    /// Waits until a condition holds, as long as WeeChat runs.
    private func until(_ condition: () throws -> Bool) async throws {
        try await eventually {
            try #require(process.isRunning, "WeeChat has ended: \((try? folder.directory.text("output")) ?? "")")
            return try condition()
        }
    }

    /// Executes a command in a buffer, or sends a message there.
    func run(_ command: String, in buffer: String = chat) async throws {
        let text = try JSONEncoder().encode([buffer, command])
        try text.write(to: folder.url.appending(path: "command"), options: .atomic)
        try await until { try !folder.directory.has("command") }
    }

    /// The lines of a buffer, each with its prefix.
    func lines(_ buffer: String) throws -> [String] {
        try buffers()[buffer]?["lines"].elements.compactMap(\.text) ?? []
    }

    /// Waits until a line of a buffer matches a regular expression.
    @discardableResult
    func line(_ buffer: String, _ expression: String) async throws -> String {
        var found: String?
        try await until {
            found = try lines(buffer).last { $0.range(of: expression, options: .regularExpression) != nil }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until the input line of a buffer has this text.
    func input(_ buffer: String, _ text: String) async throws {
        try await until { try buffers()[buffer]?["input"].text == text }
    }
}
