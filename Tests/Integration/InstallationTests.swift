import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests `scripts/install` and the manual pages that it installs, with the programs that were built for the tests.
@Suite(.hangGuard) struct InstallationTests {
    private static let root = DocumentedErrorCodes.sources.deletingLastPathComponent().path
    private static let path = "/usr/sbin:/usr/bin:/sbin:/bin"
    private let folder: TemporaryFolder
    /// A path with a space and with a character that has a meaning in systemd's units.
    private var prefix: String { folder.path + "/my %programs" }

    init() throws { folder = try TemporaryFolder() }

    private func script(
        _ name: String, _ arguments: String..., settings: [String: String] = [:]
    ) async throws -> Programs.Result {
        let environment = ["PATH": Self.path, "HOME": folder.path].merging(settings) { $1 }
        return try await Programs.run(
            Self.root + "/scripts/" + name, arguments, environment: environment.merging(Sanitizers.environment) { $1 })
    }

    private func install(settings: [String: String] = [:]) async throws -> Programs.Result {
        try await script("install", "--programs", Programs.folder, "--prefix", prefix, settings: settings)
    }

    /// The paths of all files in the prefix.
    private var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: prefix).filter { path in
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: prefix + "/" + path, isDirectory: &isDirectory)
                return !isDirectory.boolValue
            }.sorted()
        }
    }

    private func put(_ text: String, _ path: String) throws {
        let file = URL(filePath: prefix + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: prefix + "/" + path, encoding: .utf8)
    }

    @Test func `installed programs run and find their skins, and are uninstalled with all that belongs to them`()
        async throws
    {
        try put("mine", "bin/mine")
        let installed = try await install()
        #expect(installed.exit == 0, "\(installed)")

        let home = try TestHome(settings: ["XDG_DATA_DIRS": folder.path + "/none"])
        let storectl = prefix + "/bin/storectl"
        let list = try await Programs.run(storectl, ["skin", "list", "--json"], environment: home.environment)
        #expect(try list.json["use"]?["skin"]["identifier"].text == "light", "\(list)")
        #expect(
            try list.json["skins"]?.elements.map { $0["path"].text }
                == ["dark", "light"].map { "\(prefix)/share/storectl/packs/\($0).theme" })
        let fetched = try await Programs.run(storectl, ["fetch", "--help"], environment: home.environment)
        #expect(fetched.exit == 0 && fetched.output.contains("--sha256"), "\(fetched)")
        await home.killDaemon()

        // Quoted, because of the space, and with the percent sign doubled (systemd.unit(5)).
        let bin = prefix.replacing("%", with: "%%") + "/bin"
        let units = try ["stored", "storectl-update"].map { try text("share/systemd/user/\($0).service") }
        #expect(units[0].contains("\nExecStart=\"\(bin)/stored\"\n"), "\(units[0])")
        #expect(units[1].contains("\nExecStart=\"\(bin)/storectl\" update --quiet\n"), "\(units[1])")
        let socket = try text("share/systemd/user/stored.socket")
        #expect(socket.contains("\nExecStartPre=-\"\(bin)/storectl\" daemon stop --quiet\n"), "\(socket)")
        for name in ["storectl", "stored", "storehouse"] {
            #expect(try text("share/bash-completion/completions/\(name)").contains("complete "))
            #expect(try text("share/zsh/site-functions/_\(name)").hasPrefix("#compdef \(name)\n"))
            #expect(try text("share/fish/vendor_completions.d/\(name).fish").contains("complete -c "))
        }
        let installedFiles = try files
        let examples = "share/doc/storectl/examples/front-ends"
        for file in [
            "bin/storehouse", "bin/store-fetch", "share/man/man1/storectl-install.1",
            "\(examples)/weechat/stickers.py", "\(examples)/gtk/store_window.py",
            "\(examples)/web/index.html",
        ] {
            #expect(installedFiles.contains(file))
        }

        let uninstalled = try await script("install", "--uninstall", "--prefix", prefix)
        #expect(uninstalled.exit == 0, "\(uninstalled)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: prefix).sorted() == ["bin", "bin/mine"])
        let again = try await script("install", "--uninstall", "--prefix", prefix)
        #expect(again.exit == 1 && again.errors.contains("nothing is installed"), "\(again)")
    }

    @Test func `an installation in the user's data directory closes it to other users, as the daemon does`()
        async throws
    {
        let local = folder.path + "/.local"
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for prefix in [local, prefix] {
            let installed = try await script("install", "--programs", Programs.folder, "--prefix", prefix)
            #expect(installed.exit == 0, "\(installed)")
            #expect(try mode(prefix + "/share/storectl") == (prefix == local ? 0o700 : 0o755))
            #expect(try mode(prefix + "/share") == 0o755)
        }
    }

    @Test(arguments: ["install", "package"])
    func `a directory that lacks programs is named, and nothing is installed`(name: String) async throws {
        let missing = folder.path + "/none"
        let arguments = name == "install" ? ["--prefix", prefix] : ["--output", folder.path]
        func run() async throws -> Programs.Result {
            try await Programs.run(
                Self.root + "/scripts/" + name, ["--programs", missing] + arguments,
                environment: ["PATH": Self.path, "HOME": folder.path])
        }
        let none = try await run()
        #expect(none.exit == 1 && none.output.isEmpty, "\(none)")
        #expect(none.errors.hasPrefix("failed: there is no directory '\(missing)'; "), "\(none)")
        try folder.directory.put("none/stored", Data())
        try folder.directory.put("none/storectl", Data())
        #expect(chmod(missing + "/storectl", 0o755) == 0)
        let incomplete = try await run()
        #expect(incomplete.exit == 1 && incomplete.output.isEmpty, "\(incomplete)")
        #expect(
            incomplete.errors.hasPrefix(
                "failed: the directory '\(missing)' lacks stored storehouse store-fetch store-worker store-thumbnailer; "
            ),
            "\(incomplete)")
        #expect(!FileManager.default.fileExists(atPath: prefix))
    }

    @Test func `what others put in the prefix is neither overwritten nor removed`() async throws {
        try put("theirs", "bin/stored")
        let refused = try await install()
        #expect(refused.exit == 1 && refused.errors.contains(prefix + "/bin/stored"), "\(refused)")
        #expect(try files == ["bin/stored"] && text("bin/stored") == "theirs")

        try FileManager.default.removeItem(atPath: prefix + "/bin/stored")
        for _ in 0..<2 {
            // The second time in place of the first.
            let installed = try await install()
            #expect(installed.exit == 0, "\(installed)")
        }
        let changed = "share/systemd/user/stored.socket"
        try put("theirs", changed)
        try put("theirs", "share/man/man5/theirs.5")
        let uninstalled = try await script("install", "--uninstall", "--prefix", prefix)
        #expect(uninstalled.exit == 0 && uninstalled.output.contains("Left \(prefix)/\(changed),"), "\(uninstalled)")
        #expect(try files == ["share/man/man5/theirs.5", changed])
    }

    @Test func `a new installation says what it replaces, and leaves no directories when it is uninstalled`()
        async throws
    {
        #expect(try await install().exit == 0)
        let changed = "share/systemd/user/stored.socket"
        try put("theirs", changed)
        try put("theirs", "share/man/man1/theirs.1")
        let installed = try await install()
        #expect(installed.exit == 0 && installed.output.contains("Replaced \(prefix)/\(changed),"), "\(installed)")
        #expect(try text(changed) != "theirs")
        try FileManager.default.removeItem(atPath: prefix + "/share/man/man1/theirs.1")
        let uninstalled = try await script("install", "--uninstall", "--prefix", prefix)
        #expect(uninstalled.exit == 0 && !uninstalled.output.contains("Left "), "\(uninstalled)")
        #expect(!FileManager.default.fileExists(atPath: prefix))
    }

    @Test(arguments: [("install", "share/storectl/installed"), ("cp", "--remove-destination")])
    func `an installation that fails while it replaces another one can be uninstalled`(
        program: String, argument: String
    ) async throws {
        #expect(try await install().exit == 0)
        let failing = folder.path + "/failing"
        try FileManager.default.createDirectory(atPath: failing, withIntermediateDirectories: false)
        try "#!/bin/sh\ncase $* in *\(argument)*) exit 1 ;; esac\nexec /usr/bin/\(program) \"$@\"\n"
            .write(toFile: failing + "/" + program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: failing + "/" + program)
        let interrupted = try await install(settings: ["PATH": failing + ":" + Self.path])
        #expect(interrupted.exit != 0, "\(interrupted)")
        let uninstalled = try await script("install", "--uninstall", "--prefix", prefix)
        #expect(uninstalled.exit == 0 && !uninstalled.output.contains("Left "), "\(uninstalled)")
        #expect(!FileManager.default.fileExists(atPath: prefix))
    }

    @Test func `a relative directory for packages is one of the caller's`() async throws {
        let script = Self.root + "/scripts/install"
        let environment = ["PATH": Self.path, "HOME": folder.path, "DESTDIR": "image"]
        let installed = try await Programs.run(
            "/bin/sh",
            [
                "-c", "cd \"$1\" && exec \"$2\" --programs \"$3\" --prefix /usr", "sh", folder.path, script,
                Programs.folder,
            ],
            environment: environment.merging(Sanitizers.environment) { $1 })
        #expect(installed.exit == 0, "\(installed)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/image/usr/bin/storectl"))
    }

    @Test(.needs("/usr/bin/groff", debian: "groff-base"))
    func `every command has a manual page without errors, with the options of its help`() async throws {
        let written = try await Programs.run(
            "/usr/bin/python3", [Self.root + "/scripts/lib/manual.py", Programs.folder, prefix],
            environment: ["SOURCE_DATE_EPOCH": "0"].merging(Sanitizers.environment) { $1 })
        #expect(written.exit == 0, "\(written)")
        let pages = try files
        for page in pages {
            let checked = try await Programs.run(
                "/usr/bin/groff", ["-man", "-ww", "-z", "-Tutf8", prefix + "/" + page],
                environment: ["PATH": "/usr/bin:/bin"])
            #expect(checked.exit == 0 && checked.errors.isEmpty, "\(page): \(checked)")
        }
        for program in ["storectl", "storehouse"] {
            let help = try await help(program)
            let commands = help.matches(of: /(?m)^  ([a-z]+)  +[A-Z]/).map { String($0.1) }
            #expect(commands.count > 5)
            for command in commands {
                let page = "man1/\(program)-\(command).1"
                try #require(pages.contains(page), "\(page)")
                let options = try await self.help(program, command).matches(of: /(?m)^  (?:-\w, )?(--[a-z0-9-]+)/)
                let shown = try text(page).replacing("\\-", with: "-")
                for option in options { #expect(shown.contains("\\fB\(option.1)\\fR"), "\(page): \(option.1)") }
            }
        }
        #expect(try text("man1/storectl.1").contains(".TH STORECTL 1 1970-01-01 \"storectl "))
        for page in ["stored.1", "store-fetch.1", "stored-scenarios.1"] { #expect(pages.contains("man1/" + page)) }
    }

    private func help(_ arguments: String...) async throws -> String {
        let program = arguments[0]
        let result = try await Programs.run(
            program, Array(arguments.dropFirst()) + ["--help"], environment: Sanitizers.environment)
        #expect(result.exit == 0, "\(arguments): \(result)")
        return result.output
    }
}
