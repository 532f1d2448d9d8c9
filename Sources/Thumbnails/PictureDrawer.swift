import StoreCVips
public import StoreImages
public import StoreModel

/// Draws thumbnails and contact sheets with libvips, rlottie and libvpx, in a process that is confined before it sees an image.
///
/// An image is validated before a decoder reads it. Of the library's decoders only those of PNG, JPEG, WebP and GIF are
/// not blocked.
public struct PictureDrawer: Sendable {
    /// The limits beyond which an image is not decoded.
    public var limits: ImageLimits
    /// The limits beyond which a thumbnail of an animated image shows its first frame only.
    public var animationLimits = AnimatedThumbnailLimits()

    /// Creates a drawer that decodes images within the limits.
    public init(limits: ImageLimits) { self.limits = limits }

    /// Loads and initialises libvips for all later calls in this process, and in its copies (fork(2)).
    ///
    /// No thread is started.
    ///
    /// - Throws: `thumbnail.unavailable`.
    public static func start() throws(StoreError) {
        guard cvips_start("store-thumbnailer") == 0 else {
            throw StoreError(.thumbnailsUnavailable, ["reason": .untrusted(takeError())])
        }
    }

    /// Returns a small version of an image as a WebP; it is not larger than the image.
    ///
    /// - Parameters:
    ///   - pixels: the maximum width and height.
    ///   - isAnimated: whether an animated WebP, GIF, TGS or WebM gives an animated thumbnail, if the limits allow; it
    ///     shows the first frame otherwise. An animated PNG always gives its first picture.
    /// - Throws: `thumbnail.failed`.
    public func thumbnail(of image: [UInt8], pixels: Int, isAnimated: Bool) throws(StoreError) -> [UInt8] {
        switch AnimationFormat(head: image.prefix(4)) {
        case .tgs: return try thumbnail(of: VectorAnimation(image), pixels: pixels, isAnimated: isAnimated)
        case .webm: return try thumbnail(of: VideoAnimation(image), pixels: pixels, isAnimated: isAnimated)
        case nil: break
        }
        let facts = try validate(image)
        if isAnimated, facts.format != .apng, animationLimits.allow(facts) {
            let small = try Picture(image, pixels: pixels, frames: facts.frames)
            // The frames are similar, so that a better search for a smaller encoding takes long and finds little.
            let bytes = try small.webp(effort: 2)
            if bytes.count <= animationLimits.size { return bytes }
        }
        return try Picture(image, pixels: pixels, frames: 1).webp(effort: 4)
    }

    private func thumbnail(
        of animation: some ThumbnailAnimation, pixels: Int, isAnimated: Bool
    ) throws(StoreError) -> [UInt8] {
        if isAnimated {
            let bytes = try animation.picture(pixels: pixels, isAnimated: true).webp(effort: 2)
            if bytes.count <= animationLimits.size { return bytes }
        }
        return try animation.picture(pixels: pixels, isAnimated: false).webp(effort: 4)
    }

    /// Returns a grid of images as a PNG.
    ///
    /// - Parameters:
    ///   - images: the images, in rows; `nil` for a cell with a grey frame.
    ///   - pixels: the width and height of a cell.
    ///   - columns: the number of images in a row.
    /// - Throws: `thumbnail.failed`.
    public func contactSheet(of images: [[UInt8]?], pixels: Int, columns: Int) throws(StoreError) -> [UInt8] {
        guard !images.isEmpty, columns > 0 else { throw StoreError(.thumbnailUnexpected) }
        var cells: [Picture] = []
        for image in images {
            guard let image else {
                cells.append(try Picture(emptyCell: pixels))
                continue
            }
            _ = try validate(image)
            cells.append(try Picture(cellOf: Picture(image, pixels: pixels, frames: 1), pixels: pixels))
        }
        return try Picture(gridOf: cells, columns: columns, margin: max(1, pixels / 16)).png()
    }

    private func validate(_ image: [UInt8]) throws(StoreError) -> ImageFacts {
        let facts: ImageFacts
        do {
            facts = try ImageReader(limits: limits).read(image)
        } catch {
            throw StoreError(.thumbnailImageInvalid, cause: error)
        }
        guard facts.format != .svg else {
            throw StoreError(.thumbnailFormatUnsupported, ["format": facts.format.title])
        }
        return facts
    }

    /// Returns the text of libvips's last errors, and forgets them.
    static func takeError() -> String {
        var text = [CChar](repeating: 0, count: 500)
        cvips_take_error(&text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
