import StoreCVips
import StoreModel

/// An image of libvips, which is released with the object.
final class Picture {
    private let image: UnsafeMutablePointer<VipsImage>

    private init(_ image: UnsafeMutablePointer<VipsImage>?) throws(StoreError) {
        guard let image else { throw Picture.error }
        self.image = image
    }

    deinit { cvips_release(image) }

    /// Decodes an image and scales it down to a square of a number of pixels.
    convenience init(_ bytes: [UInt8], pixels: Int, frames: Int) throws(StoreError) {
        try self.init(cvips_thumbnail(bytes, bytes.count, Int32(clamping: pixels), Int32(clamping: frames)))
    }

    /// Creates a picture from pixels: red, green, blue and opacity, one frame after the other.
    ///
    /// - Parameter delay: the time for which each of several frames is shown, in milliseconds.
    convenience init(colours: [UInt8], width: Int, height: Int, frames: Int, delay: Int) throws(StoreError) {
        precondition(colours.count == width * height * frames * 4)
        try self.init(
            cvips_image(
                colours, Int32(clamping: width), Int32(clamping: height), Int32(clamping: frames),
                Int32(clamping: delay)))
    }

    /// Creates a picture of several frames, pictures of the same size.
    ///
    /// - Parameter delays: the time for which each frame is shown, in milliseconds.
    convenience init(frames: [Picture], delays: [Int]) throws(StoreError) {
        precondition(frames.count == delays.count)
        var images = frames.map { Optional($0.image) }
        let times = delays.map { Int32(clamping: $0) }
        let joined = withExtendedLifetime(frames) { cvips_join(&images, times, Int32(clamping: frames.count)) }
        try self.init(joined)
    }

    /// Returns the picture scaled down to a square of a number of pixels; itself, if it is not larger.
    func small(pixels: Int) throws(StoreError) -> Picture {
        try Picture(cvips_small(image, Int32(clamping: pixels)))
    }

    /// Draws another picture into the middle of a square.
    convenience init(cellOf picture: Picture, pixels: Int) throws(StoreError) {
        try self.init(cvips_cell(picture.image, Int32(clamping: pixels)))
    }

    /// Draws the cell of a missing image: a square with a grey frame.
    convenience init(emptyCell pixels: Int) throws(StoreError) {
        try self.init(cvips_empty_cell(Int32(clamping: pixels)))
    }

    /// Draws the cells of a contact sheet, squares of the same size, in rows with margins.
    convenience init(gridOf cells: [Picture], columns: Int, margin: Int) throws(StoreError) {
        var images = cells.map { Optional($0.image) }
        let grid = withExtendedLifetime(cells) {
            cvips_grid(&images, Int32(clamping: cells.count), Int32(clamping: columns), Int32(clamping: margin), 255)
        }
        try self.init(grid)
    }

    /// Encodes the picture as a WebP.
    func webp(effort: Int) throws(StoreError) -> [UInt8] {
        var size = 0
        return try Picture.taken(cvips_webp(image, 80, Int32(clamping: effort), &size), size)
    }

    /// Encodes the picture as a PNG.
    func png() throws(StoreError) -> [UInt8] {
        var size = 0
        return try Picture.taken(cvips_png(image, &size), size)
    }

    /// Copies bytes that the library allocated, and frees them.
    private static func taken(_ bytes: UnsafeMutableRawPointer?, _ size: Int) throws(StoreError) -> [UInt8] {
        guard let bytes else { throw error }
        defer { cvips_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
    }

    private static var error: StoreError {
        StoreError(.thumbnailNotDecodable, ["reason": .untrusted(PictureDrawer.takeError())])
    }
}
