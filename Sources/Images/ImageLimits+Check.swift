import StoreModel

extension ImageLimits {
    /// - Parameters:
    ///   - width: of a frame, as a header claims; below 2³¹.
    ///   - frames: as a header claims, or counted so far.
    /// - Throws: `content.image-damaged` where there is no pixel, `content.image-too-large`, `content.image-frames`.
    func check(width: Int, height: Int, frames: Int = 1) throws {
        guard width > 0, height > 0 else { throw ImageError.damaged("without a pixel") }
        // The square of what four bytes hold fits.
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, count <= pixels else {
            throw ImageError(.imageTooLarge, "of \(width) × \(height) pixels, more than the \(pixels) that are allowed")
        }
        guard frames <= self.frames else {
            throw ImageError(.imageFrames, "of \(frames) frames, more than the \(self.frames) that are allowed")
        }
        let (all, exceeds) = count.multipliedReportingOverflow(by: frames)
        guard !exceeds, all <= allPixels else {
            throw ImageError(
                .imageFrames,
                "of \(frames) frames of \(width) × \(height) pixels, together more than the \(allPixels) that are allowed"
            )
        }
    }
}
