import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests that the directories of a home belong to its user alone.
@Suite struct PrivateDirectoryTests {
    private let folder: TemporaryFolder
    private let paths: HomePaths

    init() throws {
        folder = try TemporaryFolder()
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        paths = try HomePaths(facts, home: folder.path + "/home")
    }

    private static let inner = [
        "data/packs", "data/previous", "data/staging", "data/trash", "cache/partial", "cache/archives",
        "cache/catalogues", "cache/images", "cache/skins", "cache/thumbnails",
    ]

    @Test(arguments: inner)
    func `a directory of the home that others can write to is refused`(name: String) throws {
        try PrivateDirectory.check(paths)
        _ = try folder.directory.createDirectory("home/" + name)
        try PrivateDirectory.check(paths)
        for permissions: mode_t in [0o770, 0o702, 0o1777] {
            chmod(folder.path + "/home/" + name, permissions)
            let error = #expect(throws: StoreError.self) { try PrivateDirectory.check(paths) }
            #expect(error?.code == .homeOpen && error?.message.contains("/home/" + name) == true)
        }
        chmod(folder.path + "/home/" + name, 0o755)
        try PrivateDirectory.check(paths)
    }

    @Test(arguments: ["home", "home/data", "home/cache", "home/config"])
    func `a home that others can write to is refused, also with the sticky bit`(name: String) throws {
        try PrivateDirectory.check(paths)
        for permissions: mode_t in [0o720, 0o702, 0o1777] {
            chmod(folder.path + "/" + name, permissions)
            let error = #expect(throws: StoreError.self) { try PrivateDirectory.check(paths) }
            #expect(error?.code == .homeOpen && error?.message.hasSuffix(name + "'") == true)
        }
        chmod(folder.path + "/" + name, 0o755)
        try PrivateDirectory.check(paths)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: inner)
    func `a directory of the home that belongs to another user is refused`(name: String) throws {
        _ = try folder.directory.createDirectory("home/" + name)
        chown(folder.path + "/home/" + name, 12345, 12345)
        let error = #expect(throws: StoreError.self) { try PrivateDirectory.check(paths) }
        #expect(error?.code == .homeForeign && error?.message.contains("/home/" + name) == true)
    }

    @Test func `a link in place of the socket's directory is refused and its target is left as it is`() throws {
        _ = try folder.directory.createDirectory("target", mode: 0o755)
        chmod(folder.path + "/target", 0o755)
        for target in ["target", "none"] {
            try folder.directory.putLink("run", to: target)
            let error = #expect(throws: StoreError.self) { try PrivateDirectory.openRuntime(folder.path + "/run") }
            #expect(error?.code == .homeUnwritable && error?.message.contains("symbolic link") == true)
            try folder.directory.remove("run")
        }
        #expect(FileStatus.mode(of: folder.path + "/target") == 0o755)
        // Links in the path above are the user's own.
        try folder.directory.putLink("link", to: "target")
        _ = try PrivateDirectory.openRuntime(folder.path + "/link/run")
        #expect(FileStatus.mode(of: folder.path + "/target/run") == 0o700)
        #expect(FileStatus.mode(of: folder.path + "/target") == 0o755)
    }
}
