import Foundation
import StoreArchives
import StoreSystem
import StoreTestSupport
import Testing

/// Runs a program in a directory; returns whether it could be started and succeeded.
private func run(_ program: String, _ arguments: [String], in folder: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}

@Suite struct OrdinaryArchivesTests {
    private let scratch: Scratch
    private let source: Directory

    init() throws {
        scratch = try Scratch()
        source = try scratch.folder.createDirectory("source")
        var random = SeededGenerator(seed: 7)
        try RoundTripTests.fill(source, &random)
        _ = try source.createDirectory("empty folder")
    }

    /// Unpacks `out.zip` and compares the result with the source.
    private func expectAccepted(_ comment: Comment) throws {
        let archive = try Directory.open(scratch.path).openFile("out.zip")
        let target = try scratch.folder.createDirectory(UUID().uuidString)
        let report = try Unpacker().unpack(archive, into: target, limits: ArchiveLimits())
        let found = try Scratch.contents(of: target)
        let expected = try Scratch.contents(of: source)
        #expect(found.filter { !$0.key.hasPrefix("META-INF/") } == expected, comment)
        #expect(report.files.count == found.count)
    }

    /// The Debian packages of the programs.
    private static let packages = [
        "zip": "zip", "7z": "p7zip-full", "bsdtar": "libarchive-tools", "jar": "default-jdk-headless",
    ]

    @Test(arguments: [
        "zip -qr ../out.zip .", "zip -qrX ../out.zip .", "zip -qr0 ../out.zip .", "zip -qrD ../out.zip .",
        "zip -qrfz ../out.zip .", "zip -qr - . > ../out.zip", "zip -qr - . | cat > ../out.zip", "7z a ../out.zip .",
        "7z a -mx0 -tzip ../out.zip .", "bsdtar -cf ../out.zip --format zip *", "jar cf ../out.zip .",
        "bsdtar -cf ../out.zip --format zip --options zip:experimental *",
    ])
    func `archives of zip, 7z, bsdtar and jar are accepted`(command: String) throws {
        let program = String(command.prefix { $0 != " " })
        try need(program, debian: #require(Self.packages[program]))
        try #require(run("sh", ["-c", command], in: source.path))
        try expectAccepted("\(command)")
    }

    private static let python = """
        import os, sys, zipfile
        how, method = sys.argv[1], int(sys.argv[2])
        class Pipe:
            def __init__(self, file): self.file = file
            def write(self, data): return self.file.write(data)
            def flush(self): self.file.flush()
        target = open('../out.zip', 'wb')
        with zipfile.ZipFile(Pipe(target) if how == 'stream' else target, 'w', method) as archive:
            if how == 'comment': archive.comment = b'made by hand'
            for folder, folders, files in os.walk('.'):
                for name in folders: archive.write(os.path.join(folder, name))
                for name in files:
                    path = os.path.join(folder, name)
                    if how in ('wide', 'stream-wide'):
                        info = zipfile.ZipInfo.from_file(path)
                        info.compress_type = method
                        with archive.open(info, 'w', force_zip64=True) as out: out.write(open(path, 'rb').read())
                    elif how == 'text': archive.writestr(path[2:], open(path, 'rb').read())
                    else: archive.write(path)
        target.close()
        """

    @Test(arguments: ["file", "stream", "wide", "text", "comment"], [0, 8])
    func `archives of Python are accepted`(how: String, method: Int) throws {
        try need("python3", debian: "python3")
        try #require(run("python3", ["-c", OrdinaryArchivesTests.python, how, "\(method)"], in: source.path))
        try expectAccepted("\(how) \(method)")
    }

    @Test func `archives of the project's writer are accepted by other programs`() throws {
        let file = try scratch.folder.createFile("ours.zip")
        _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 1_760_000_000)).write(source, into: file)
        try need("python3", debian: "python3")
        try #require(run("python3", ["-m", "zipfile", "-e", "ours.zip", "theirs"], in: scratch.path))
        let theirs = try scratch.folder.openDirectory("theirs")
        #expect(try Scratch.contents(of: theirs) == Scratch.contents(of: source))
    }
}
