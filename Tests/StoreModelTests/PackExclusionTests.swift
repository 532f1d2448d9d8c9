import StoreModel
import Testing

@Suite struct PackExclusionTests {
    @Test(arguments: [
        (".git", true, PackExclusion.hidden), (".x", false, .hidden), ("Autorun.inf", false, .hidden),
        ("HEAD", false, .hidden), ("head", false, .hidden), (".ds_store", false, .litter), ("._a.png", false, .litter),
        ("THUMBS.DB", false, .litter), ("thumb\u{17F}.db", false, .litter), ("__macosx", true, .litter),
    ])
    func `the reason follows from the name`(name: String, isDirectory: Bool, reason: PackExclusion) {
        #expect(PackExclusion(name: name, isDirectory: isDirectory) == reason)
    }

    @Test(arguments: ["a.git", "git", "heads", "HEADER", "a.DS_Store", "thumbs", "_", "MACOSX", "autorun.png", "é"])
    func `ordinary names are not excluded`(name: String) {
        #expect(PackExclusion(name: name, isDirectory: false) == nil)
        #expect(PackExclusion(name: name, isDirectory: true) == nil)
    }

    @Test func `the topmost excluded component decides`() {
        func topmost(_ path: String, isDirectory: Bool = false) -> String? {
            PackExclusion.topmost(in: path, isDirectory: isDirectory).map { "\($0.reason) \($0.path)" }
        }
        #expect(topmost("a/b/c.png") == nil)
        #expect(topmost("a/.git/x/.DS_Store") == "hidden a/.git")
        #expect(topmost("__MACOSX/.git/config") == "litter __MACOSX")
        #expect(topmost("a/HEAD") == "hidden a/HEAD")
        #expect(topmost("a/HEAD", isDirectory: true) == nil)
        #expect(topmost("HEAD/a") == nil)
        // For Swift, a slash with a combining accent is one character that is no slash.
        #expect(topmost(".git/\u{301}x") == "hidden .git")
    }
}
