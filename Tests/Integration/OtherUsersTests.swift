import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Testing

/// Tests other users of the machine: their access to a home, and their files in place of its own.
@Suite struct OtherUsersTests {
    private static let isRoot = getuid() == 0
    private static let nobody = "65534"

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }

    private func run(as user: String, _ script: String, _ arguments: String...) async throws -> Programs.Result {
        try await Programs.run(
            "/usr/bin/setpriv", ["--reuid", user, "--clear-groups", "/bin/sh", "-c", script, "sh"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
    }

    /// Copies the programs into a home's folder, which is opened to other users, as the build directory may not be.
    ///
    /// - Returns: the path of the command line, which finds the other programs beside itself.
    private func copyPrograms(beside home: TestHome) throws -> String {
        chmod(home.folder.path, 0o755)
        for name in ["storectl", "stored", "store-worker"] {
            try Programs.copy(name, to: home.folder.path + "/" + name)
        }
        return home.folder.path + "/storectl"
    }

    /// Fills a home with all kinds of files: two versions of a pack, a partial download, a log.
    private func fill(_ home: TestHome, umask: String) async throws -> Origin {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        // The daemon inherits the umask of the command that starts it.
        let started = try await Programs.run(
            "/bin/sh", ["-c", "umask \(umask); exec \(Programs.path("storectl")) daemon start"],
            environment: home.environment)
        try #require(started.exit == 0, "\(started)")
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("config", "set", "downloads.maximumAtOnce", "3")
        try await home.must("install", "cups")
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        try await home.must("update")
        try await home.must("purchases", "grant", "x")
        StoreDocuments.formatTwo("cups", version: "3.0.0", archive: StoreDocuments.pack(3), on: origin)
        origin.always("/3.0.0.zip", .stallAfter(100))
        try await home.must("update", "--no-wait")
        await origin.untilStalled()
        return origin
    }

    /// Directories of the home are 0700 and its files 0600; those of a pack are 0755 and 0644 minus the umask.
    @Test(arguments: ["000", "022", "077"])
    func `files have minimal permissions with any umask`(umask: String) async throws {
        let home = try TestHome()
        let origin = try await fill(home, umask: umask)
        let mask = try #require(Int(umask, radix: 8))
        var seen: Set<String> = []
        for case let path as String in FileManager.default.enumerator(atPath: home.path) ?? .init() {
            let attributes = try FileManager.default.attributesOfItem(atPath: home.path + "/" + path)
            let permissions = try #require(attributes[.posixPermissions] as? Int)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let parts = path.split(separator: "/")
            let isInPack = parts.count > 2 && ["packs", "previous"].contains(parts[1])
            let allowed = isInPack ? (isFolder ? 0o755 : 0o644) & ~mask : isFolder ? 0o700 : 0o600
            #expect(permissions == allowed, "\(path) has \(String(permissions, radix: 8))")
            seen.insert(parts.last.map(String.init) ?? "")
        }
        let expected = [
            "library.sqlite", "library.sqlite-wal", "stored.lock", "stored.log", "stored.sock", "stores.json",
            "settings.json", ".receipt.json", "catalogue.json", "a.png",
        ]
        for name in expected { #expect(seen.contains(name), "\(name) was not looked at: \(seen.sorted())") }
        #expect(seen.contains { $0.hasSuffix(".part") })
        #expect(mode(home.path) == 0o700)
        origin.release()
        try await home.must("daemon", "stop")
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `another user can read, list and change nothing`() async throws {
        let home = try TestHome()
        let origin = try await fill(home, umask: "000")
        // The home itself must be accessible.
        chmod(home.folder.path, 0o755)
        let closed = try await run(as: Self.nobody, "ls \"$1\" 2>&1; cat \"$1/data/library.sqlite\" 2>&1", home.path)
        #expect(closed.output.components(separatedBy: "Permission denied").count == 3, "\(closed)")

        // Even if the user opened the home, its data directory and the packs to others.
        for path in ["", "/data", "/cache", "/config", "/data/packs"] { chmod(home.path + path, 0o755) }
        var files: [String] = []
        for case let path as String in FileManager.default.enumerator(atPath: home.path) ?? .init() {
            files.append(path)
        }
        let found = try await run(
            as: Self.nobody,
            """
            cd "$1" || exit 1
            find . -type f -readable 2>/dev/null
            echo ---
            find . -writable 2>/dev/null
            echo ---
            for folder in data data/packs cache config; do touch $folder/theirs 2>/dev/null && echo $folder; done
            """, home.path)
        let parts = found.output.components(separatedBy: "---\n")
        let readable = parts[0].split(separator: "\n").map(String.init)
        #expect(!readable.isEmpty && readable.allSatisfy { $0.hasPrefix("./data/packs/cups.stickers/") }, "\(readable)")
        #expect(parts[1].isEmpty && parts[2].isEmpty, "\(found)")
        #expect(files.contains("data/library.sqlite") && files.contains("data/stored.lock"))
        origin.release()
    }

    // MARK: A home of another user

    private static let folders = [
        "", "/data", "/cache", "/config", "/data/packs", "/data/previous", "/data/staging", "/data/trash",
        "/cache/partial", "/cache/archives", "/cache/catalogues", "/cache/images", "/cache/skins",
        "/cache/thumbnails",
    ]

    @Test(.enabled(if: isRoot, "only root can give a folder away"), arguments: folders)
    func `another user's home is refused`(folder: String) async throws {
        let home = try TestHome()
        let path = home.path + folder
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chown(path, 65534, 65534)
        try await home.fails("list", exit: 8, code: "daemon.not-started", saying: ["belongs to user 65534", path])
        #expect(home.entries("data/packs") == [])
    }

    @Test(arguments: folders, [0o770, 0o707, 0o777])
    func `a home that others may write to is refused`(folder: String, permissions: Int) async throws {
        let home = try TestHome()
        let path = home.path + folder
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // The umask may have let others write to the directories above.
        for parent in ["", "/data", "/cache", "/config"] { chmod(home.path + parent, 0o700) }
        chmod(path, mode_t(permissions))
        try await home.fails(
            "list", exit: 8, code: "daemon.not-started", saying: ["other users can write", "chmod go-w", path])
        if folder.isEmpty { #expect(home.entries("").isEmpty, "nothing is written to a home that is refused") }
        chmod(path, mode_t(permissions & ~0o022))
        try await home.must("list")
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `another user's daemon is not taken for none`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        let storectl = try copyPrograms(beside: home)
        chmod(home.path, 0o755)
        chmod(home.path + "/run", 0o700)
        for command in ["status", "stop"] {
            let result = try await run(
                as: Self.nobody, "exec \"$1\" daemon \"$2\" --home \"$3\"", storectl, command, home.path)
            #expect(result.exit == 8 && result.output.isEmpty, "\(result)")
            #expect(result.errors.contains("'\(home.path)/run' belongs to user 'root' (0)"), "\(result)")
        }
        let none = home.folder.path + "/none"
        let missing = try await run(as: Self.nobody, "exec \"$1\" list --home \"$2\"", storectl, none)
        #expect(missing.exit == 8, "\(missing)")
        #expect(missing.errors.contains("you may not create it in '\(home.folder.path)'"), "\(missing)")
        #expect(!missing.errors.contains("store add"), "\(missing)")
        try await home.must("daemon", "stop")
    }

    /// As another user, because root may read every directory.
    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `a pack that its user may not read is neither replaced nor forgotten`() async throws {
        let (store, home) = (try await UpdateStore("cups"), try TestHome())
        let storectl = try copyPrograms(beside: home)
        chmod(store.store.folder.path, 0o755)
        try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
        chown(home.path, 65534, 65534)
        let result = try await run(
            as: Self.nobody,
            """
            storectl=$1; export STORECTL_HOME=$2
            pack=$2/data/packs/cups.stickers
            $storectl store add shop "file://$3/" --unsigned --quiet || exit
            $storectl install cups --quiet
            chmod 000 "$pack"
            for command in install uninstall; do $storectl $command cups; echo "$command $?"; done
            chmod 755 "$pack"
            $storectl uninstall cups; echo "uninstall $?"
            $storectl daemon stop --quiet
            """, storectl, home.path, store.store.publicPath)
        #expect(result.output == "install 1\nuninstall 1\nRemoved cups.\nuninstall 0\n", "\(result)")
        #expect(result.errors.components(separatedBy: "cups.stickers': Permission denied").count == 3, "\(result)")
    }

    // MARK: The directory of the socket

    @Test(.enabled(if: isRoot, "only root can give a folder away"))
    func `another user's runtime directory is not used for the socket`() async throws {
        let folder = try TemporaryFolder()
        let runtime = folder.path + "/runtime"
        try FileManager.default.createDirectory(atPath: runtime + "/storectl", withIntermediateDirectories: true)
        var environment = ["PATH": "/usr/bin:/bin", "STORECTL_DAEMON_IDLE_TIMEOUT": "60", "XDG_RUNTIME_DIR": runtime]
        for name in ["DATA", "CACHE", "CONFIG"] {
            environment["XDG_\(name)_HOME"] = "\(folder.path)/\(name.lowercased())"
        }
        // The directory within belongs to the other user, so it is refused.
        chown(runtime + "/storectl", 65534, 65534)
        let refused = try await Programs.run("storectl", ["list"], environment: environment)
        #expect(refused.exit == 8 && refused.errors.contains("belongs to user 65534"), "\(refused)")
        #expect((try? FileManager.default.contentsOfDirectory(atPath: runtime + "/storectl")) == [])
        // The whole runtime directory belongs to another user, as after `sudo -E`, so it is ignored.
        chown(runtime, 65534, 65534)
        let started = try await Programs.run("storectl", ["daemon", "start", "--json"], environment: environment)
        #expect(started.exit == 0, "\(started)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/storectl/run/stored.sock"))
        #expect((try? FileManager.default.contentsOfDirectory(atPath: runtime + "/storectl")) == [])
        #expect(try await Programs.run("storectl", ["daemon", "stop"], environment: environment).exit == 0)
    }

    @Test func `a link in place of the socket's directory is not followed`() async throws {
        let home = try TestHome()
        let target = home.folder.path + "/target"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        chmod(target, 0o755)
        try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
        chmod(home.path, 0o700)
        try FileManager.default.createSymbolicLink(atPath: home.path + "/run", withDestinationPath: target)
        try await home.fails(
            "list", exit: 8, code: "daemon.not-started",
            saying: ["symbolic link", home.path + "/run", "remove the link"])
        #expect(mode(target) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        try FileManager.default.removeItem(atPath: home.path + "/run")
        try await home.must("list")
    }

    @Test(.enabled(if: isRoot, "only root can become another user"), arguments: ["usual", "lock"])
    func `another user's socket is not used`(place: String) async throws {
        let home = try TestHome()
        let folder = home.path + (place == "usual" ? "/run" : "/elsewhere")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for path in [home.folder.path, home.path] { chmod(path, 0o755) }
        chmod(folder, 0o777)
        if place == "lock" {
            try FileManager.default.createDirectory(atPath: home.path + "/data", withIntermediateDirectories: true)
            let lock = #"{"pid":1,"socket":"\#(folder)/stored.sock","startedAt":"2026-01-01T00:00:00Z"}"#
            try Data(lock.utf8).write(to: URL(filePath: home.path + "/data/stored.lock"))
        }
        let script = """
            use Socket; $| = 1;
            socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die $!; listen(S, 5);
            chmod(0666, $ARGV[0]); print "ready\\n";
            while (accept(C, S)) { print "connected\\n"; while (defined(recv(C, $_, 4096, 0)) && $_ ne "") { print "received\\n" } }
            """
        let listener = try Programs.start(
            "/usr/bin/setpriv",
            ["--reuid", Self.nobody, "--clear-groups", "/usr/bin/perl", "-e", script, folder + "/stored.sock"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        defer { listener.signal(SIGKILL) }
        try await eventually { listener.output.contains("ready") }
        try await home.fails("list", exit: 8, code: "daemon.foreign", saying: ["65534", "belongs to user"])
        try await eventually { listener.output.contains("connected") }
        #expect(!listener.output.contains("received"))
    }
}
