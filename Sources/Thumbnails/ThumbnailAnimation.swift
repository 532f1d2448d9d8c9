import StoreModel

/// An animation in a format that libvips does not read: a TGS or WebM file.
protocol ThumbnailAnimation {
    /// Draws the animation, or one frame of it, into a square of a number of pixels.
    ///
    /// - Throws: `thumbnail.failed`.
    func picture(pixels: Int, isAnimated: Bool) throws(StoreError) -> Picture
}
