/// The paths of all directories and files that the program uses for one user, together called the home.
///
/// The paths are computed from the environment without accessing the disk. All are absolute and have no trailing `/`.
public struct HomePaths: Sendable, Hashable {
    /// The path of the directory of the program's permanent data.
    ///
    /// It contains the packs, their previous versions, the database, the event journal (`events.0`, `events.1`), the
    /// versions that observers were notified of (`updates.json`), the state that was published last (`state.json`), the
    /// selected skin (`skin.json`), and space that is reserved for a start on a full disk (`reserve`).
    public let data: String
    /// The path of the directory of data that may be deleted at any time.
    public let cache: String
    /// The path of the directory of the user's settings.
    public let config: String
    /// The path of the runtime directory, which contains the daemon's unix socket.
    public let run: String
    /// The absolute path of the directory that `--home` or `STORECTL_HOME` named; `nil` for the XDG directories.
    public let home: String?
    /// The paths of the directories of packs that came with the program or the system, the most important first.
    ///
    /// They need not exist. An application that needs no skins empties the list; otherwise, the lack of any skin is
    /// reported as a problem.
    public var preinstalled: [String]

    /// The path of the directory of the installed packs.
    public var packs: String { data + "/packs" }
    /// The path of the directory of the packs' previous versions, which rollback restores.
    public var previous: String { data + "/previous" }
    /// The path of the directory in which packs are prepared before they are moved to ``packs``.
    public var staging: String { data + "/staging" }
    /// The path of the directory of removed packs whose files are not deleted yet.
    public var trash: String { data + "/trash" }
    /// The path of the SQLite database file.
    public var database: String { data + "/library.sqlite" }
    /// The path of the file that stores which skin is selected.
    public var skinChoice: String { data + "/skin.json" }
    /// The path of the running daemon's lock file, which contains the path of the daemon's socket.
    public var lock: String { data + "/stored.lock" }

    /// The path of the directory of archives that are not downloaded completely.
    public var partial: String { cache + "/partial" }
    /// The path of the directory of archives that are kept after the installation.
    public var archives: String { cache + "/archives" }
    /// The path of the directory of the stores' cached catalogues.
    public var catalogues: String { cache + "/catalogues" }
    /// The path of the directory of cached images of the stores' products.
    public var images: String { cache + "/images" }
    /// The path of the directory of cached single stickers, of packs that are not installed.
    public var stickers: String { cache + "/stickers" }
    /// The path of the directory of archives that are made from the sticker packs of other programs.
    public var imports: String { cache + "/imports" }
    /// The path of the directory of the trusted metadata of signed stores.
    public var trust: String { data + "/trust" }
    /// The path of the directory of compiled skin files.
    public var skins: String { cache + "/skins" }
    /// The path of the directory of cached scaled images.
    public var thumbnails: String { cache + "/thumbnails" }

    /// The name of the log file of a daemon that no service manager started, in ``cache``.
    package static let daemonLogName = "stored.log"
    /// The path of the log file of a daemon that no service manager started.
    public var daemonLog: String { cache + "/" + Self.daemonLogName }

    /// The path of the daemon's unix socket.
    public var socket: String { run + "/stored.sock" }

    /// The path of the file of the user's settings, which override ``systemSettings``.
    public var userSettings: String { config + "/settings.json" }
    /// The path of the file of the machine's settings, which are the same for every user.
    public var systemSettings = "/etc/storectl/settings.json"

    /// Computes the paths of the program's directories and files from the environment of the process.
    ///
    /// - Parameters:
    ///   - facts: the environment and the user of the process.
    ///   - home: the value of `--home`: one directory for everything, instead of `STORECTL_HOME` and the XDG
    ///     directories. It may be relative to the current directory.
    /// - Throws: ``StoreError`` with code `home.unknown` if the user's home directory is needed and unknown.
    public init(_ facts: Facts, home: String? = nil) throws(StoreError) {
        let moved = home ?? facts.environment["STORECTL_HOME"]
        if let moved, !moved.isEmpty {
            let home = Self.absolute(moved, in: facts.currentFolder)
            let under = home == "/" ? "" : home
            self.home = home
            data = under + "/data"
            cache = under + "/cache"
            config = under + "/config"
            run = under + "/run"
        } else {
            self.home = nil
            data = try facts.base("XDG_DATA_HOME", default: "/.local/share") + "/storectl"
            cache = try facts.base("XDG_CACHE_HOME", default: "/.cache") + "/storectl"
            config = try facts.base("XDG_CONFIG_HOME", default: "/.config") + "/storectl"
            run = facts.runtimeFolder.map { $0 + "/storectl" } ?? data + "/run"
        }
        let shared =
            facts.environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let all =
            (facts.programFolder.map(Self.shippedPacks) ?? [])
            + shared.split(separator: ":").filter { $0.hasPrefix("/") }
            .map { Self.absolute(String($0), in: "/") + Self.sharedPacks }
        // Programs in /usr/bin find the same directory in both ways.
        preinstalled = all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
    }

    /// The path of the directory of packs below a directory of shared data, such as `/usr/share`.
    private static let sharedPacks = "/storectl/packs"

    /// Returns the paths of the directories of packs that may have come with a program.
    ///
    /// Each is relative to the directory of the program's executable, so that the packs are found wherever the whole is
    /// moved: `packs` beside the programs, `../share` of an installation (`PREFIX/bin`), and `config/packs` of the
    /// repository if the programs are in its build directory (`.build/TRIPLE/CONFIGURATION`).
    private static func shippedPacks(_ programFolder: String) -> [String] {
        let components = programFolder.split(separator: "/")
        func ancestor(_ levels: Int) -> String { components.dropLast(levels).map { "/" + $0 }.joined() }
        var folders = [ancestor(0) + "/packs", ancestor(1) + "/share" + sharedPacks]
        // Other build directories, such as those of the sanitizers, have names like `.build-thread`.
        if components.count >= 3, components[components.count - 3].hasPrefix(".build") {
            folders.append(ancestor(3) + "/config/packs")
        }
        return folders
    }

    /// The environment and the user of a process, as far as the paths of the program's directories depend on them.
    public struct Facts: Sendable, Hashable {
        public var environment: [String: String]
        public var user: UInt32
        /// The path of the home directory in the user's password entry (passwd(5)); `nil` if there is none, or if it is not
        /// needed.
        public var passwordHome: String?
        public var currentFolder: String
        /// The path of the directory with the running program's executable; `nil` if unknown.
        public var programFolder: String?
        /// The user ids that own the existing directories among ``candidatesForRuntimeFolder``, by path.
        public var folderOwners: [String: UInt32]

        public init(
            environment: [String: String], user: UInt32, passwordHome: String?, currentFolder: String,
            programFolder: String? = nil, folderOwners: [String: UInt32] = [:]
        ) {
            self.environment = environment
            self.user = user
            self.passwordHome = passwordHome
            self.currentFolder = currentFolder
            self.programFolder = programFolder
            self.folderOwners = folderOwners
        }

        /// The path of the home directory that the environment names; without one, ``passwordHome`` is needed.
        package var variableHome: String? { absoluteVariable("HOME") }

        /// The paths of the directories that may become the runtime directory, which contains the daemon's socket.
        public var candidatesForRuntimeFolder: [String] {
            [absoluteVariable("XDG_RUNTIME_DIR"), userRuntimeFolder].compactMap { $0 }
        }

        private var userRuntimeFolder: String { "/run/user/\(user)" }

        /// The path of the user's runtime directory (such as `/run/user/1000`), or `nil` if there is none.
        ///
        /// It is `XDG_RUNTIME_DIR`, unless that belongs to another user (as after `sudo -E`), else the directory that
        /// systemd creates for each user who is logged in.
        fileprivate var runtimeFolder: String? {
            if let named = absoluteVariable("XDG_RUNTIME_DIR"), (folderOwners[named] ?? user) == user { return named }
            return folderOwners[userRuntimeFolder] == user ? userRuntimeFolder : nil
        }

        fileprivate func base(_ variable: String, default suffix: String) throws(StoreError) -> String {
            if let folder = absoluteVariable(variable) { return folder }
            guard let home = variableHome ?? passwordHome.flatMap(absolute) else {
                throw StoreError(.homeDirectoryUnknown, ["user": Int(user)])
            }
            return (home == "/" ? "" : home) + suffix
        }

        /// Returns the value of an environment variable if it is an absolute path, else `nil`.
        ///
        /// The XDG specification requires relative paths to be ignored.
        private func absoluteVariable(_ name: String) -> String? { environment[name].flatMap(absolute) }

        private func absolute(_ path: String) -> String? {
            path.hasPrefix("/") ? HomePaths.absolute(path, in: "/") : nil
        }
    }

    /// Returns an absolute path for `path`, which may be relative to `folder`, without empty components and `.`.
    ///
    /// The component `..` is kept, because its target depends on links.
    fileprivate static func absolute(_ path: String, in folder: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
