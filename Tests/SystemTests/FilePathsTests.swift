import Glibc
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct FilePathsTests {
    @Test(arguments: [
        ("/a/b/c", "/a/b", "c"), ("/a", "/", "a"), ("/", "/", ""), ("", ".", ""), ("a", ".", "a"), ("a/b", "a", "b"),
        ("./a", ".", "a"), ("../a", "..", "a"), ("/a/b/", "/a", "b"), ("a//b///c", "a/b", "c"), ("//a", "/", "a"),
        // To Swift, the slash and the accent after it are one character.
        ("/a/\u{301}b", "/a", "\u{301}b"), ("/\u{301}b/c", "/\u{301}b", "c"),
    ])
    func `a path is split into its directory and its last component`(path: String, directory: String, name: String) {
        let split = FilePaths.split(path)
        #expect(Array(split.directory.utf8) == Array(directory.utf8))
        #expect(Array(split.name.utf8) == Array(name.utf8))
    }

    @Test func `directories that can be used are not taken for closed ones`() throws {
        let folder = try TemporaryFolder()
        #expect(FilePaths.unwritableParent(of: folder.path + "/a/b") == nil)
        #expect(FilePaths.closedDirectory(above: folder.path + "/a/b") == nil)
        #expect((FilePaths.unwritableParent(of: "/") == nil) == (access("/", W_OK | X_OK) == 0))
    }
}
