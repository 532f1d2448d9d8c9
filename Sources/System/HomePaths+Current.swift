import FoundationEssentials
import Glibc
public import StoreModel

extension HomePaths {
    /// The places of this process and its user.
    ///
    /// - Parameter home: what `--home` named, if it was given.
    /// - Throws: `home.unknown`, as ``HomePaths/init(_:home:)``.
    public static func current(home: String? = nil) throws(ErrorReport) -> HomePaths {
        try HomePaths(.current(), home: home)
    }
}

extension HomePaths.Facts {
    /// As they are now.
    public static func current() -> HomePaths.Facts {
        let user = geteuid()
        let program = linkTarget("/proc/self/exe")
        var facts = HomePaths.Facts(
            environment: ProcessInfo.processInfo.environment, user: user, passwordHome: passwordHome(of: user),
            currentFolder: linkTarget("/proc/self/cwd") ?? "/",
            programFolder: program.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } })
        for folder in facts.candidatesForRuntimeFolder {
            var status = stat()
            if stat(folder, &status) == 0 { facts.folderOwners[folder] = status.st_uid }
        }
        return facts
    }

    private static func passwordHome(of user: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // Enough for the entries of large directories; sysconf only gives a first guess.
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let folder = entry.pw_dir
        else {
            return nil
        }
        return String(cString: folder)
    }

    private static func linkTarget(_ link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
