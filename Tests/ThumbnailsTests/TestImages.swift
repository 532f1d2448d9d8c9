import FoundationEssentials
import StoreSystem
import StoreTestSupport
import StoreWorker
import Testing

/// Real images of this repository, and the service whose processes draw thumbnails of them.
enum TestImages {
    private static let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")

    /// Reads an image below the directory `Tests`.
    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "/\(tests)/\(path)")))
    }

    /// Creates a service with the program beside the tests.
    ///
    /// - Parameter limits: the limits of each process.
    static func service(_ limits: WorkerLimits = WorkerLimits()) throws -> WorkerService {
        let test = try #require(CurrentProcess.programPath)
        let directory = test.split(separator: "/").dropLast().joined(separator: "/")
        var settings = WorkerService.Settings()
        settings.limits = limits
        let name = WorkerService.pictureProgramName
        return WorkerService(settings, name: name, program: InstalledProgram(path: "/\(directory)/\(name)"))
    }

    /// Returns a file in memory.
    static func file(_ bytes: [UInt8]) throws -> OpenFile {
        let file = try OpenFile.inMemory()
        try file.write(bytes, at: 0)
        return file
    }
}
