import Testing

@testable import StoreModel

@Suite struct DirectoryEntryPathTests {
    private struct Entry: Codable, Hashable {
        @DirectoryEntryPath var path: String

        init(_ path: DirectoryEntryPath) { _path = path }
    }

    @Test(arguments: [("/home/a/packs", "cups.stickers", "/home/a/packs/cups.stickers"), ("/", "cups", "/cups")])
    func `a path of two parts is the whole path, also in JSON`(parent: String, name: String, whole: String) throws {
        var entry = Entry(DirectoryEntryPath(of: name, in: parent))
        #expect(entry.path == whole)
        let same = Entry(DirectoryEntryPath(wrappedValue: whole))
        #expect(entry == same && entry.hashValue == same.hashValue)
        #expect(try JSON.encode(entry) == JSON.encode(["path": whole]))
        #expect(try JSON.decode(Entry.self, from: JSON.encode(entry)) == entry)
        #expect(entry != Entry(DirectoryEntryPath(of: name, in: parent + "2")))
        #expect(entry != Entry(DirectoryEntryPath(of: name + "2", in: parent)))
        entry.path = "/elsewhere"
        #expect(entry.path == "/elsewhere")
    }
}
