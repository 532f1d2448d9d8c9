import StoreModel

extension ImageLimits {
    /// - Parameters:
    ///   - width: of a frame, as a header claims; below 2³¹.
    ///   - frames: as a header claims, or counted so far.
    /// - Throws: `content.image-damaged` where there is no pixel, `content.image-too-large`, `content.image-frames`.
    func check(width: Int, height: Int, frames: Int = 1) throws {
        guard width > 0, height > 0 else { throw StoreError(.imageWithoutPixels) }
        // The square of what four bytes hold fits.
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
