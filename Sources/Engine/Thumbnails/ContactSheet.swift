import FoundationEssentials
import StoreSystem
import StoreWorker

/// The thumbnails of a contact sheet, with the task to draw it.
///
/// They were drawn and checked one by one, so that an image that attacks its decoder has no effect on the others.
struct ContactSheet: Sendable {
    /// The maximum number of images on a sheet.
    static let maximumImages = 500

    private let images: [Data?]
    private let pixels: Int

    /// Creates a contact sheet of thumbnails; `nil` is an empty cell.
    ///
    /// - Parameter pixels: the width and height of a cell.
    init(_ images: [Data?], pixels: Int) {
        self.images = images
        self.pixels = pixels
    }

    /// The number of images in a row: such that the sheet is about as wide as it is high, and at most ten.
    var columns: Int { max(1, min(10, Int(Double(images.count).squareRoot().rounded(.up)))) }

    /// The task for the process that draws the sheet.
    var task: PictureTask {
        var end = 0
        let ranges = images.map { image -> Range<Int>? in
            guard let image else { return nil }
            defer { end += image.count }
            return end..<end + image.count
        }
        return .contactSheet(images: ranges, pixels: pixels, columns: columns)
    }

    /// Returns a file in memory with all thumbnails, one after another.
    func file() throws -> OpenFile {
        let file = try OpenFile.inMemory()
        for image in images { if let image { try file.write(image) } }
        return file
    }
}
