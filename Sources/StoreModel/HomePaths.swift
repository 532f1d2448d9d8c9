/// Where everything lies: the table "HomePaths" as a value, computed from what is known of the user and the environment.
///
/// All paths are absolute and have no `/` at the end. Nothing is looked at or made.
public struct HomePaths: Sendable, Hashable {
    /// What has to lie on the machine for good: packs, the version before of each, the database, the last events
    /// (`events.0`, `events.1`), of which new versions observers were told (`updates.json`), and which skin was chosen
    /// (`skin.json`).
    public let data: String
    /// What may be deleted at any time.
    public let cache: String
    /// The user's settings.
    public let config: String
    /// The socket's folder.
    public let run: String
    /// The folder that `--home` or `STORECTL_HOME` named, if one did.
    public let home: String?
    /// Folders of packs that came with the machine or the program, the most important first. They need not exist.
    public var preinstalled: [String]

    public var packs: String { data + "/packs" }
    public var previous: String { data + "/previous" }
    public var staging: String { data + "/staging" }
    /// Removed trees wait here until they are deleted.
    public var trash: String { data + "/trash" }
    public var database: String { data + "/library.sqlite" }
    /// Which skin was chosen.
    public var skinChoice: String { data + "/skin.json" }
    /// Held by the daemon that owns this home; its content names the live socket.
    public var lock: String { data + "/stored.lock" }

    /// Downloads that are not complete yet.
    public var partial: String { cache + "/partial" }
    /// Archives that are kept after the installation.
    public var archives: String { cache + "/archives" }
    public var catalogues: String { cache + "/catalogues" }
    /// Compiled skins.
    public var skins: String { cache + "/skins" }
    public var thumbnails: String { cache + "/thumbnails" }

    public var socket: String { run + "/stored.sock" }

    /// The user's settings, which win over ``systemSettings``.
    public var userSettings: String { config + "/settings.json" }
    /// The machine's settings, the same for every home.
    public var systemSettings = "/etc/storectl/settings.json"

    /// - Parameters:
    ///   - facts: what is known of the process and its user.
    ///   - home: `--home`: one folder for everything, in the place of `STORECTL_HOME` and the XDG folders. May be
    ///     relative to the current folder.
    /// - Throws: `home.unknown` where a folder is needed that only a home folder tells, and there is none.
    public init(_ facts: Facts, home: String? = nil) throws(ErrorReport) {
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
        preinstalled =
            (facts.programFolder.map { [$0 + "/packs"] } ?? [])
            + shared.split(separator: ":").filter { $0.hasPrefix("/") }
            .map { Self.absolute(String($0), in: "/") + "/storectl/packs" }
    }

    /// What has to be known of the process and its user.
    public struct Facts: Sendable, Hashable {
        public var environment: [String: String]
        public var user: UInt32
        /// The home folder in the user's password entry.
        public var passwordHome: String?
        public var currentFolder: String
        /// The folder that the running program lies in.
        public var programFolder: String?
        /// Who owns the folders that may hold the socket (``candidatesForRuntimeFolder``), of those that are there.
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

        public var candidatesForRuntimeFolder: [String] {
            [absoluteVariable("XDG_RUNTIME_DIR"), userRuntimeFolder].compactMap { $0 }
        }

        private var userRuntimeFolder: String { "/run/user/\(user)" }

        /// What the environment names, unless it is somebody else's (as after `sudo -E`); without that, what the system
        /// makes for each user who is logged in.
        fileprivate var runtimeFolder: String? {
            if let named = absoluteVariable("XDG_RUNTIME_DIR"), (folderOwners[named] ?? user) == user { return named }
            return folderOwners[userRuntimeFolder] == user ? userRuntimeFolder : nil
        }

        fileprivate func base(_ variable: String, default suffix: String) throws(ErrorReport) -> String {
            if let folder = absoluteVariable(variable) { return folder }
            guard let home = absoluteVariable("HOME") ?? passwordHome.flatMap(absolute) else {
                throw ErrorReport(
                    code: .homeUnknown,
                    message:
                        "User \(user) has no home folder: HOME is not set and there is no password entry. Name one with --home."
                )
            }
            return (home == "/" ? "" : home) + suffix
        }

        /// The XDG specification: a path that is not absolute is to be ignored.
        private func absoluteVariable(_ name: String) -> String? { environment[name].flatMap(absolute) }

        private func absolute(_ path: String) -> String? {
            path.hasPrefix("/") ? HomePaths.absolute(path, in: "/") : nil
        }
    }

    /// `..` stays, because what it leads to depends on links.
    fileprivate static func absolute(_ path: String, in folder: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
