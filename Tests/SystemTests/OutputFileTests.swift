import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct OutputFileTests {
    private let folder: TemporaryFolder
    private var directory: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    @Test func `writing an output file replaces it, and no other file`() throws {
        try directory.put("a.new", "of the user")
        for content in ["one", "two"] {
            try Directory.replaceOutput(folder.path + "/a", with: Data(content.utf8))
            #expect(try directory.tree() == ["a": content, "a.new": "of the user"])
        }
    }

    @Test(arguments: [true, false])
    func `the file to which a link leads is replaced, or created if it is missing`(exists: Bool) throws {
        if exists { try directory.put("a", "old") }
        try directory.putLink("link", to: "a")
        try Directory.replaceOutput(folder.path + "/link", with: Data("new".utf8))
        #expect(try directory.tree() == ["a": "new", "link": "(link)"])
    }

    @Test func `an output file that can't be written leaves nothing behind, and its error names it`() throws {
        try directory.put("a/x", "in the way")
        let error = fileError { try Directory.replaceOutput(folder.path + "/a", with: Data("new".utf8)) }
        #expect(error?.message.contains("'\(folder.path)/a'") == true, "\(error?.message ?? "")")
        #expect(try directory.tree() == ["a/x": "in the way"])
        // Such as '/dev/stdout', which is a link to a pipe or a terminal.
        #expect(mknodat(directory.descriptor, "pipe", S_IFIFO | 0o600, 0) == 0)
        try directory.putLink("link", to: "pipe")
        for name in ["pipe", "link"] {
            let error = fileError { try Directory.replaceOutput(folder.path + "/" + name, with: Data("new".utf8)) }
            #expect(error?.message == "'\(folder.path)/\(name)' is not a regular file")
        }
        #expect(try directory.tree() == ["a/x": "in the way", "pipe": "(other)", "link": "(link)"])
        #expect(throws: StoreError.self) { try Directory.replaceOutput(folder.path + "/b/c", with: Data()) }
    }
}
