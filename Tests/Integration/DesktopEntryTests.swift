import Foundation
import StoreTestSupport
import Testing

/// The entry in the desktop's menu that `scripts/install` installs, as GLib reads it for desktops and browsers.
@Suite(
    .hangGuard, .needs("/usr/bin/update-desktop-database", debian: "desktop-file-utils"),
    .needs("/usr/lib/python3/dist-packages/gi/__init__.py", debian: "python3-gi"))
struct DesktopEntryTests {
    private static let scripts = DocumentedErrorCodes.sources.deletingLastPathComponent().path + "/scripts"
    private let folder: TemporaryFolder
    private let browser: DesktopBrowser
    /// A path with characters that have a meaning in desktop entries.
    private var prefix: String { folder.path + "/my $programs" }
    private var applications: String { prefix + "/share/applications" }

    init() throws {
        folder = try TemporaryFolder()
        browser = try DesktopBrowser()
    }

    private func install(_ arguments: String...) async throws {
        let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.path]
        let result = try await Programs.run(
            Self.scripts + "/install", ["--prefix", prefix] + arguments,
            environment: environment.merging(Sanitizers.environment) { $1 })
        try #require(result.exit == 0, "\(result)")
    }

    /// Launches the application that GLib finds for the scheme of the links.
    private func launch(_ links: [String], _ home: TestHome) async throws -> Programs.Result {
        let script = """
            import sys
            from gi.repository import Gio
            application = Gio.AppInfo.get_default_for_uri_scheme("storectl")
            if application is None: sys.exit("no application")
            print(application.get_id(), application.get_icon().to_string())
            application.launch_uris(sys.argv[1:], None)
            """
        let directories = ["XDG_DATA_DIRS": prefix + "/share", "XDG_CONFIG_HOME": folder.path + "/none"]
        return try await Programs.run(
            "/usr/bin/python3", ["-c", script] + links, environment: home.environment.merging(directories) { $1 })
    }

    @Test func `a desktop opens links with the installed program, until it is uninstalled`() async throws {
        try await install("--programs", Programs.folder)
        let entry = applications + "/storectl.desktop"
        let checked = try await Programs.run("/usr/bin/desktop-file-validate", [entry], environment: [:])
        #expect(checked.exit == 0 && checked.output.isEmpty && checked.errors.isEmpty, "\(checked)")
        let icon = prefix + "/share/icons/hicolor/scalable/apps/storectl.svg"
        #expect(try String(contentsOfFile: icon, encoding: .utf8).hasPrefix("<svg "))

        let home = try TestHome(settings: browser.environment.merging(["STORECTL_WEB_PORT": "0"]) { $1 })
        let launched = try await launch(["storectl:install/org.example.cups"], home)
        // What the launched program prints may follow.
        #expect(launched.exit == 0 && launched.output.hasPrefix("storectl.desktop storectl\n"), "\(launched)")
        try await eventually { browser.opened.count == 1 }
        let page = try await WebClient.follow(try #require(browser.opened.last))
        #expect(page.path == "/store/org.example.cups" && page.answer.status == 404, "\(page)")
        // In the menu, the entry has no link.
        #expect(try await launch([], home).exit == 0)
        try await eventually { browser.opened.count == 2 }
        #expect(try await WebClient.follow(try #require(browser.opened.last)).path == "/store")

        try await install("--uninstall")
        #expect(!FileManager.default.fileExists(atPath: prefix))
        #expect(try await launch(["storectl:install/org.example.cups"], home).exit == 1)
    }

    @Test func `other applications in the directory remain known`() async throws {
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        let other = "[Desktop Entry]\nType=Application\nName=Other\nExec=true %u\nMimeType=x-scheme-handler/other;\n"
        try Data(other.utf8).write(to: URL(filePath: applications + "/other.desktop"))
        try await install("--programs", Programs.folder)
        func cache() throws -> String { try String(contentsOfFile: applications + "/mimeinfo.cache", encoding: .utf8) }
        #expect(try cache().contains("x-scheme-handler/storectl=storectl.desktop;"))
        try await install("--uninstall")
        #expect(try cache() == "[MIME Cache]\nx-scheme-handler/other=other.desktop;\n")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: prefix).sorted() == [
                "share", "share/applications", "share/applications/mimeinfo.cache", "share/applications/other.desktop",
            ])
    }
}
