public import FoundationEssentials
import Glibc
public import StoreModel

extension HomePaths {
    /// Returns the paths of the program's data, cache, settings and runtime directories for this process's user.
    ///
    /// - Parameter home: the value of `--home`, if it was given.
    /// - Throws: `home.unknown`, as ``HomePaths/init(_:home:)``.
    public static func current(home: String? = nil) throws(StoreError) -> HomePaths {
        try HomePaths(.current(), home: home)
    }
}

extension HomePaths.Facts {
    /// Returns the user and directories of this process, from which the program's paths are computed.
    ///
    /// - Parameter environment: the environment variables; those of this process by default.
    public static func current(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> HomePaths.Facts {
        let user = geteuid()
        var facts = HomePaths.Facts(
            environment: environment, user: user, passwordHome: nil,
            currentFolder: CurrentProcess.workingDirectory ?? "/",
            programFolder: CurrentProcess.programPath.map { FilePaths.split($0).directory })
        // The entry may be in a directory service, which is asked only if there is need.
        if facts.variableHome == nil { facts.passwordHome = passwordHome(of: user) }
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
}
