import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

/// A directory `inside` beside a file `secret` and a directory `outside`, with links to them.
private struct Surroundings {
    let folder: TemporaryFolder
    let inside: Directory

    init() throws {
        folder = try TemporaryFolder()
        try folder.directory.put("secret", "outside")
        try folder.directory.put("outside/secret", "outside")
        try folder.directory.put("inside/file", "inside")
        try folder.directory.put("inside/folder/file", "inside")
        inside = try folder.directory.openDirectory("inside")
        try makeLink("link-to-file", to: "../secret")
        try makeLink("link-to-folder", to: "../outside")
        try makeLink("link-within", to: "folder")
        try makeLink("link-nowhere", to: "nothing")
    }

    func makeLink(_ name: String, to target: String) throws {
        try inside.putLink(name, to: target)
    }

    /// Returns the name for a test argument, where `@` at the beginning is the path of the surrounding directory.
    ///
    /// Tests must not name files of the machine: if they fail, they reach them.
    func name(_ argument: String) -> String { argument.hasPrefix("@") ? folder.path + argument.dropFirst() : argument }

    /// Whether everything outside is unchanged.
    func isUntouched() throws -> Bool {
        try folder.directory.names() == ["inside", "outside", "secret"]
            && folder.directory.text("secret") == "outside"
            && folder.directory.openDirectory("outside").tree() == ["secret": "outside"]
    }
}

@Suite struct BeneathTests {
    private let surroundings: Surroundings
    private var inside: Directory { surroundings.inside }

    init() throws { surroundings = try Surroundings() }

    /// Names of files outside, or of a file inside through a link.
    static let filesElsewhere = [
        "../secret", "folder/../../secret", "link-to-file", "link-to-folder/secret", "link-within/file",
        "@/outside/secret", "folder/../link-within/file",
    ]
    /// The names that pass a link or `..` before their last component.
    static let throughOthers = filesElsewhere.filter { $0 != "link-to-file" }

    /// For the system, a name ends at its first zero byte.
    @Test func `a name with a zero byte is that of no file`() throws {
        let names = try inside.names()
        for name in ["file\0", "file\0.png", "folder\0/file", "new\0"] {
            for attempt in [
                { _ = try inside.openFile(name) }, { _ = try inside.createFile(name) },
                { try inside.makeDirectory(name) },
                { try inside.remove(name) }, { try inside.rename(name, to: inside, as: "renamed") },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self, "\(name.debugDescription)") { try attempt() }
                #expect(error?.errno == .noSuchFileOrDirectory)
            }
            #expect(try inside.status(of: name) == nil)
        }
        #expect(try inside.names() == names && surroundings.isUntouched())
    }

    @Test(arguments: filesElsewhere)
    func `a file outside the directory is not opened`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { _ = try inside.openFile(name) }
        expectEscape { _ = try inside.openOrCreateFile(name) }
        expectEscape { _ = try inside.read(name) }
    }

    @Test(
        arguments: [
            "../new", "folder/../../new", "link-to-folder/new", "link-within/new", "@/new", "link-nowhere/new",
        ])
    func `a file outside the directory is not created`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { _ = try inside.createFile(name) }
        expectEscape { _ = try inside.openOrCreateFile(name) }
        expectEscape { try inside.makeDirectory(name) }
        #expect(throws: StoreError.self) { try inside.replace(name, with: .init()) }
        #expect(try surroundings.isUntouched())
    }

    @Test func `no file is created through a dangling link`() throws {
        #expect(fileError { _ = try inside.createFile("link-nowhere") }?.isExisting == true)
        expectEscape { _ = try inside.openOrCreateFile("link-nowhere") }
    }

    @Test(
        arguments: [
            "..", "../outside", "folder/../..", "link-to-folder", "link-within", "link-within/.", "/", "@/outside",
        ])
    func `a directory outside is not opened`(argument: String) throws {
        expectEscape { _ = try inside.openDirectory(surroundings.name(argument)) }
    }

    @Test(arguments: ["../new", "link-to-folder/new", "link-within/new", "folder/../../new"])
    func `no directory is created outside`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { _ = try inside.createDirectory(name) }
        #expect(try surroundings.isUntouched())
    }

    @Test(arguments: throughOthers + ["..", "folder/../.."])
    func `the status of a file outside is not read`(argument: String) throws {
        expectEscape { _ = try inside.status(of: surroundings.name(argument)) }
    }

    @Test func `the status of a link is that of the link itself`() throws {
        #expect(try inside.status(of: "link-to-file")?.kind == .link)
        #expect(try inside.status(of: "link-nowhere")?.kind == .link)
        #expect(try inside.status(of: "folder/file")?.kind == .file)
        #expect(try inside.status(of: ".")?.inode == inside.status(of: "folder/../.")?.inode)
    }

    @Test(arguments: throughOthers)
    func `a file outside the directory is not removed`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { try inside.remove(name) }
        expectEscape { try inside.removeTree(name) }
        #expect(try surroundings.isUntouched())
        #expect(try inside.has("folder/file"))
    }

    @Test(
        arguments: ["..", ".", "../outside", "folder/../../outside", "folder/..", "folder/.", "link-within/.."])
    func `a tree outside the directory is not removed`(argument: String) throws {
        let name = surroundings.name(argument)
        #expect(throws: StoreError.self) { try inside.removeTree(name) }
        #expect(try surroundings.isUntouched())
        #expect(try inside.has("folder/file"))
    }

    @Test(arguments: throughOthers)
    func `a file outside the directory is not renamed or linked`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { try inside.rename(name, to: inside, as: "new") }
        expectEscape { _ = try inside.renameIfFree(name, to: inside, as: "new") }
        expectEscape { _ = try inside.exchange(name, with: inside, "file") }
        expectEscape { try inside.link(name, to: inside, as: "new") }
        #expect(try surroundings.isUntouched())
    }

    @Test(arguments: [
        "../new", "link-to-folder/new", "link-within/new", "folder/../../new", "../secret", "link-to-folder/secret",
    ])
    func `a file is not renamed or linked to a name outside`(argument: String) throws {
        let name = surroundings.name(argument)
        expectEscape { try inside.rename("file", to: inside, as: name, replacing: true) }
        expectEscape { _ = try inside.renameIfFree("file", to: inside, as: name) }
        expectEscape { _ = try inside.exchange("file", with: inside, name) }
        expectEscape { try inside.link("file", to: inside, as: name) }
        #expect(try surroundings.isUntouched())
        #expect(try inside.text("file") == "inside")
    }

    @Test func `a tree is removed with its links and without their targets`() throws {
        try inside.openDirectory("folder").putLink("away", to: "../../outside")
        try surroundings.folder.directory.removeTree("inside")
        #expect(try surroundings.folder.directory.names() == ["outside", "secret"])
        #expect(try surroundings.folder.directory.openDirectory("outside").tree() == ["secret": "outside"])
    }

    @Test func `removing a link keeps its target`() throws {
        try inside.removeTree("link-to-folder")
        try inside.remove("link-to-file")
        #expect(try !inside.has("link-to-folder") && !inside.has("link-to-file"))
        #expect(try surroundings.isUntouched())
    }

    @Test func `an open directory stays the same when its path is renamed`() throws {
        try surroundings.folder.directory.rename("inside", to: surroundings.folder.directory, as: "moved")
        try surroundings.folder.directory.makeDirectory("inside")
        #expect(try inside.text("folder/file") == "inside")
    }

    private func expectEscape(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = fileError(sourceLocation: sourceLocation, body)
        #expect(error?.code == .fileEscapes, "\(error.map(\.description) ?? "")", sourceLocation: sourceLocation)
        #expect(error?.code.exitCode == .refused, sourceLocation: sourceLocation)
    }
}

/// Returns the error of `body`, which must throw a `StoreError`.
func fileError(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> StoreError? {
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
}

@Suite struct RenamedBeneathTests {
    /// The kernel reports such a path as one that leads out of the directory.
    @Test func `a directory that is moved out while it is opened is not found`() async throws {
        let folder = try TemporaryFolder()
        let (inside, outside) = (
            try folder.directory.createDirectory("inside"), try folder.directory.createDirectory("outside")
        )
        try inside.makeDirectory("pack")
        let isDone = Atomic(false)
        async let moved: Void = BlockingWork(label: "tests.moving").run {
            while !isDone.load(ordering: .relaxed) {
                try inside.rename("pack", to: outside, as: "pack")
                try outside.rename("pack", to: inside, as: "pack")
            }
        }
        let codes = try await BlockingWork(label: "tests.opening").run {
            var codes: Set<ErrorCode> = []
            for _ in 0..<20_000 {
                do throws(StoreError) { _ = try inside.openDirectory("pack") } catch { codes.insert(error.code) }
            }
            return codes
        }
        isDone.store(true, ordering: .relaxed)
        try await moved
        #expect(codes.subtracting([ErrorCode.fileMissing]).isEmpty)
    }
}
