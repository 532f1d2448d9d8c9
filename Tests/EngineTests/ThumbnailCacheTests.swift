import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreWorker
import Testing

@testable import StoreEngine

/// What limits the cache of thumbnails and the attempts to make them, without the program that makes them.
@Suite struct ThumbnailCacheTests {
    private let now = Date(timeIntervalSince1970: 2_000_000_000)

    @Test func `thumbnails that were not used for long are removed when one is stored after a start`() async throws {
        let folder = try TemporaryFolder()
        let before = ImageCache(folder.directory, maximumAge: .seconds(100))
        await before.store(Data([1]), as: "old", at: now - 101, limit: 1_000)
        await before.store(Data([2]), as: "used", at: now - 101, limit: 1_000)
        await before.store(Data([3]), as: "new", at: now - 99, limit: 1_000)
        #expect(await before.read("used", use: now - 50, limit: 10)?.data == Data([2]))

        let after = ImageCache(folder.directory, maximumAge: .seconds(100))
        await after.trim(to: 1_000)
        #expect(try folder.directory.entries().count == 3)
        let restarted = ImageCache(folder.directory, maximumAge: .seconds(100))
        await restarted.store(Data([4]), as: "another", at: now, limit: 1_000)
        #expect(try folder.directory.entries().map(\.name).sorted() == ["another", "new", "used"])
    }

    @Test func `an image that failed is tried again after ten minutes, or when the clock was set back`() {
        let failures = FailedThumbnails()
        let error = StoreError(.thumbnailUnexpected)
        failures.add(error, of: "a", at: now)
        #expect(failures.error(of: "a", at: now + 599) == error)
        #expect(failures.error(of: "b", at: now) == nil)
        #expect(failures.error(of: "a", at: now + 600) == nil)
        failures.add(error, of: "a", at: now)
        #expect(failures.error(of: "a", at: now - 1) == nil)
    }

    @Test func `the number of remembered failures is limited`() {
        let failures = FailedThumbnails()
        for number in 0...FailedThumbnails.limit {
            failures.add(StoreError(.thumbnailUnexpected), of: "\(number)", at: now)
        }
        #expect(failures.error(of: "0", at: now) == nil)
        #expect(failures.error(of: "\(FailedThumbnails.limit)", at: now) != nil)
    }

    @Test(arguments: [(1, 1), (2, 2), (4, 2), (5, 3), (20, 5), (100, 10), (500, 10)])
    func `a contact sheet is about as wide as high, with ten columns at most`(images: Int, columns: Int) {
        #expect(ContactSheet([Data?](repeating: nil, count: images), pixels: 10).columns == columns)
    }

    @Test func `the images of a contact sheet follow each other in its file`() throws {
        let sheet = ContactSheet([Data([1, 2]), nil, Data([3])], pixels: 10)
        #expect(sheet.task == .contactSheet(images: [0..<2, nil, 2..<3], pixels: 10, columns: 2))
        #expect(try sheet.file().readAll(limit: 10) == Data([1, 2, 3]))
    }
}
