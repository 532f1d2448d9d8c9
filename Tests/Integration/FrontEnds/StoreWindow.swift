import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// This repository's sample window in GTK 4, on a display and a session bus of its own.
///
/// It is operated as by assistive technology and by the keyboard, and its picture is read from the display's memory.
final class StoreWindow: Sendable {
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let processes: [ChildProcess]
    private var window: ChildProcess { processes[2] }

    /// Prints role and name of everything in the window, or presses the button with a name.
    private static let assistant = """
        import json, sys
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi
        def walk(item):
            if item is not None:
                yield item
                for index in range(item.get_child_count()):
                    yield from walk(item.get_child_at_index(index))
        items = [item for item in walk(Atspi.get_desktop(0)) if item.get_state_set().contains(Atspi.StateType.VISIBLE)]
        if len(sys.argv) > 1:
            sys.exit(not any(item.get_role() == Atspi.Role.PUSH_BUTTON and item.get_name() == sys.argv[1]
                             and item.do_action(0) for item in items))
        print(json.dumps([[item.get_role_name(), item.get_name()] for item in items]))
        """

    /// Starts the window for a home.
    ///
    /// - Parameter variables: variables of the window's environment that differ from those of the home.
    init(_ home: TestHome, _ variables: [String: String] = [:]) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        func start(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> ChildProcess {
            let name = (program as NSString).lastPathComponent
            return try ChildProcess(
                program, arguments, environment: environment, output: "\(path)/\(name)", errors: "\(path)/\(name).log")
        }
        /// Waits for the first line of a program's output.
        func line(_ program: String) async throws -> String {
            try await eventually { try folder.directory.has(program) && folder.directory.text(program).contains("\n") }
            return try folder.directory.text(program).trimmingCharacters(in: .newlines)
        }
        let base = FrontEndFiles.environment(home, ["XDG_RUNTIME_DIR": path])
        // The display's number is its output. Its picture is a file.
        let display = try start(
            "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "600x700x24", "-fbdir", path, "-nolisten", "tcp"], base
        )
        let bus = try start("/usr/bin/dbus-daemon", ["--session", "--nofork", "--print-address=1"], base)
        environment = try await base.merging([
            "DISPLAY": ":" + line("Xvfb"), "DBUS_SESSION_BUS_ADDRESS": line("dbus-daemon"), "GDK_BACKEND": "x11",
            "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "0",
        ]) { $1 }
        let window = try start(
            "/usr/bin/python3", [FrontEndFiles.storeWindow], environment.merging(variables) { $1 })
        (self.folder, processes) = (folder, [display, bus, window])
    }

    deinit { for process in processes.reversed() { process.signal(SIGTERM) } }

    /// What the window wrote to standard error, such as exceptions.
    var errors: String { (try? folder.directory.text("python3.log")) ?? "" }

    /// Returns what assistive technology sees, each as role and name.
    func items() async throws -> [[String]] {
        let result = try await Programs.run("/usr/bin/python3", ["-c", Self.assistant], environment: environment)
        return result.exit == 0 ? try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8)) : []
    }

    /// Waits until assistive technology sees something whose role and name match regular expressions.
    func shows(_ role: String, _ name: String) async throws {
        try await until("\(role) '\(name)'") { items in
            items.contains { $0[0] == role && $0[1].range(of: name, options: .regularExpression) != nil }
        }
    }

    /// Waits until what assistive technology sees meets a condition.
    func until(_ what: String, _ condition: ([[String]]) throws -> Bool) async throws {
        try await eventually {
            try #require(window.isRunning, "the window has ended while the test waited for \(what): \(errors)")
            return try await condition(items())
        }
    }

    /// Presses a button, as assistive technology does.
    func press(_ name: String) async throws {
        try await shows("push button", "^\(name)$")
        let result = try await Programs.run("/usr/bin/python3", ["-c", Self.assistant, name], environment: environment)
        try #require(result.exit == 0, "\(result)")
    }

    /// Gives the window the keyboard's focus, which no window manager does here, and presses keys.
    func keyboard(_ command: String, _ keys: String...) async throws {
        let focus = ["search", "--sync", "--onlyvisible", "--name", "^Store$", "windowfocus", "--sync"]
        let result = try await Programs.run("/usr/bin/xdotool", focus + [command] + keys, environment: environment)
        try #require(result.exit == 0, "\(result)")
    }

    /// Returns the number of pixels that have a colour.
    func pixels(red: UInt8, green: UInt8, blue: UInt8) throws -> Int {
        // The format of xwd(1): big-endian numbers, the first of which is the header's size; then 12 bytes for each
        // colour of a map, and the rows of the picture.
        let file = try Data(contentsOf: folder.url.appending(path: "Xvfb_screen0"))
        func number(_ index: Int) -> Int { file[(4 * index)..<(4 * index + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let start = number(0) + 12 * number(19)
        let picture = file[start..<(start + number(12) * number(5))]
        return stride(from: picture.startIndex, to: picture.endIndex, by: 4).count {
            picture[$0] == blue && picture[$0 + 1] == green && picture[$0 + 2] == red
        }
    }

    /// Copies the display's picture, in the format of xwd(1), into the directory of `STORECTL_TEST_PICTURES`.
    func keepPicture(as name: String) throws {
        guard let directory = ProcessInfo.processInfo.environment["STORECTL_TEST_PICTURES"] else { return }
        try? FileManager.default.removeItem(atPath: "\(directory)/gtk-\(name).xwd")
        try FileManager.default.copyItem(
            atPath: folder.path + "/Xvfb_screen0", toPath: "\(directory)/gtk-\(name).xwd")
    }
}
