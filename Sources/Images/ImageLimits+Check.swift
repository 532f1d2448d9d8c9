import StoreModel

extension ImageLimits {
    /// Checks the size and the number of frames of an image against these limits.
    ///
    /// - Parameters:
    ///   - width: the width of a frame as the header states; less than 2³¹.
    ///   - height: the height of a frame as the header states; less than 2³¹.
    ///   - frames: the number of frames that the header states, or that were counted so far.
    /// - Throws: `content.image-damaged` if there are no pixels, `content.image-too-large`, or `content.image-frames`.
    func check(width: Int, height: Int, frames: Int = 1) throws {
        guard width > 0, height > 0 else { throw StoreError(.imageWithoutPixels) }
        // The product of two 32-bit numbers fits.
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, count <= pixels else {
            throw StoreError(.imagePixelsExceeded, ["width": width, "height": height, "limit": pixels])
        }
        guard frames <= self.frames else {
            throw StoreError(.imageFramesExceeded, ["count": frames, "limit": self.frames])
        }
        let (all, exceeds) = count.multipliedReportingOverflow(by: frames)
        guard !exceeds, all <= allPixels else {
            throw StoreError(
                .imageFramePixelsExceeded, ["count": frames, "width": width, "height": height, "limit": allPixels])
        }
    }
}
