import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// The program that confines itself and tries one thing, with a home and a directory beneath which it may write.
struct Probe {
    struct Result: CustomStringConvertible {
        /// The exit code, or 128 plus the signal that ended the process.
        let code: Int32
        /// The parts of the confinement that are missing, with the reasons.
        let missing: [ConfinementReport.Part: String]
        let errors: String

        var description: String { "exit \(code), missing: \(missing), errors: \(errors)" }
    }

    let folder: TemporaryFolder
    let secret = Data("secret".utf8)

    var home: String { folder.path + "/home" }
    var work: String { folder.path + "/work" }

    init() throws {
        // Their shadow memory exceeds the limit of memory, and they make calls that are not on the list.
        if Sanitizers.areEnabled { try skip("a sanitizer does not work in a confined process") }
        folder = try TemporaryFolder()
        try folder.directory.createDirectory("home").replace("secret", with: secret)
        try folder.directory.createDirectory("work").replace("existing", with: secret)
    }

    /// Runs the program; skips the test where the kernel lacks a part of the confinement that the test is about.
    func run(_ attempt: String, _ path: String = "", needs parts: [ConfinementReport.Part] = []) async throws -> Result
    {
        let programs = FilePaths.split(try #require(CurrentProcess.programPath)).directory
        let name = UUID().uuidString
        let (output, errors) = ("\(folder.path)/\(name).out", "\(folder.path)/\(name).err")
        let process = try ChildProcess(
            programs + "/StoreConfinementProbe", [work, attempt, path], environment: ["HOME": home], output: output,
            errors: errors)
        let code = await process.result()
        var missing: [ConfinementReport.Part: String] = [:]
        for line in String(decoding: try OpenFile.open(output).readAll(limit: 1 << 20), as: UTF8.self).split(
            separator: "\n")
        {
            let words = line.split(separator: ":", maxSplits: 1)
            guard words.count == 2, let part = ConfinementReport.Part(rawValue: String(words[0])) else { continue }
            missing[part] = words[1].trimmingPrefix(" ").description
        }
        for part in parts {
            if let reason = KernelConfinement.obstacle(to: part) {
                try skip("the kernel lacks \(part.rawValue): \(reason)")
            }
            try #require(missing[part] == nil, "the kernel has what \(part.rawValue) needs")
        }
        let text = String(decoding: try OpenFile.open(errors).readAll(limit: 1 << 20), as: UTF8.self)
        return Result(code: code, missing: missing, errors: text)
    }
}
