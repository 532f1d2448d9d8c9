import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests of the entries that are never part of a pack.
@Suite struct HiddenEntryTests {
    private static let hidden = [
        ".git/config", ".envrc", ".directory", "a/.vscode/tasks.json", ".hidden", "autorun.inf", "AutoRun.INF",
        "d/autorun.sh", "HEAD", "d/HEAD", ".git", "a/.b/c/d",
    ]
    private static let litter = [
        ".DS_Store", "d/.DS_Store", "__MACOSX/d/._a", "__MACOSX/.git/config", "._a", "Thumbs.db", "d/thumbs.db",
        "desktop.ini", "Desktop.ini",
    ]

    private func archive(_ name: String, _ hiddenEntries: HiddenEntries) throws -> Archive {
        var limits = ArchiveLimits()
        limits.hiddenEntries = hiddenEntries
        return try Scratch().archive(ZipForge().file("a.png").file(name).file("d/b.png"), limits: limits)
    }

    @Test(arguments: hidden)
    func `the archive of a store with a hidden entry is refused`(name: String) throws {
        #expect(try verdict(ZipForge().file("a.png").file(name)) == "archive.hidden-name")
        #expect(try verdict(ZipForge().file("pack/a.png").file("pack/" + name)) == "archive.hidden-name")
    }

    @Test func `a hidden directory without files is refused`() throws {
        #expect(try verdict(ZipForge().file("a.png").folder(".git")) == "archive.hidden-name")
        #expect(try verdict(ZipForge().file("a.png").folder("HEAD")) == nil)
    }

    @Test(arguments: hidden)
    func `hidden entries of a file that the user chose are left out, and named`(name: String) throws {
        let archive = try archive(name, .leftOut)
        #expect(archive.entries.map(\.path) == ["a.png", "d/b.png"])
        let named = try #require(archive.leftOut.first)
        #expect(archive.leftOut.count == 1 && (name == named || name.hasPrefix(named + "/")))
        #expect(PackExclusion.topmost(in: named, isDirectory: named != name)?.path == named)
    }

    @Test func `a hidden directory is named once, without its content`() throws {
        var limits = ArchiveLimits()
        limits.hiddenEntries = .leftOut
        let forge = ZipForge().folder(".git").file(".git/HEAD").file("a.png").file(".git/config").file(".envrc")
        let archive = try Scratch().archive(forge, limits: limits)
        #expect(archive.entries.map(\.path) == ["a.png"])
        #expect(archive.leftOut == [".envrc", ".git"])
    }

    @Test(arguments: litter)
    func `litter is left out everywhere and never unpacked`(name: String) throws {
        for treatment in [HiddenEntries.refused, .leftOut] {
            let archive = try archive(name, treatment)
            #expect(archive.entries.map(\.path) == ["a.png", "d/b.png"] && archive.leftOut.isEmpty)
            #expect(try archive.entryTable().entries.map(\.path) == ["a.png", "d/b.png"])
        }
        let scratch = try Scratch()
        let (folder, report) = try scratch.unpack(ZipForge().file("a.png").file(name).build())
        #expect(report.files.map(\.path) == ["a.png"])
        #expect(try folder.entries().map(\.name) == ["a.png"])
    }

    @Test(arguments: [HiddenEntries.refused, .leftOut])
    func `an archive of litter alone is refused`(treatment: HiddenEntries) throws {
        var limits = ArchiveLimits()
        limits.hiddenEntries = treatment
        let litter = ZipForge().folder("p").file("p/.DS_Store").build()
        #expect(try verdict(litter, limits: limits) == "archive.nothing-to-pack")
    }

    @Test func `litter beside the only top-level directory does not change the root of the pack`() throws {
        let forge = ZipForge().file("__MACOSX/p/._a").folder("p").file("p/a").file(".DS_Store")
        let archive = try Scratch().archive(forge)
        #expect(archive.root == "p")
        #expect(archive.entries.map(\.packPath) == ["", "a"])
    }

    @Test func `an archive that is no pack keeps all entries`() throws {
        let archive = try archive(".git/config", .kept)
        #expect(archive.entries.map(\.path) == ["a.png", ".git/config", "d/b.png"] && archive.leftOut.isEmpty)
    }

    @Test func `the writer leaves out hidden files and litter, and names the hidden ones`() throws {
        let scratch = try Scratch()
        let source = try scratch.folder.createDirectory("source")
        for name in ["a.png", "d/b.png", ".git/config", "d/.envrc", ".DS_Store", "d/Thumbs.db", "autorun.inf"] {
            try source.put(name, "content of \(name)")
        }
        // What is left out is not looked into.
        try source.openDirectory(".git").putLink("link", to: "/etc/passwd")
        let archive = try RoundTripTests().writer.write(source, into: scratch.folder.createFile("out.zip"))
        #expect(archive.entries.map(\.path) == ["a.png", "d/b.png"])
        #expect(archive.leftOut == [".git", "autorun.inf", "d/.envrc"])
    }
}
