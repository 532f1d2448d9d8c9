import StoreModel
import StoreVideos

/// The video of a WebM file.
struct VideoAnimation: ThumbnailAnimation {
    /// The maximum number of frames per second of an animated thumbnail, which is that of Telegram's stickers.
    static let frameRate = 30.0

    private let decoder: VideoDecoder

    /// Validates a WebM file; no frame is decoded.
    ///
    /// - Throws: `thumbnail.failed`.
    init(_ bytes: [UInt8]) throws(StoreError) {
        do {
            decoder = try VideoDecoder(bytes)
        } catch {
            throw StoreError(.thumbnailImageInvalid, cause: error)
        }
    }

    func picture(pixels: Int, isAnimated: Bool) throws(StoreError) -> Picture {
        do {
            if isAnimated, decoder.video.frames.count > 1 { return try animation(pixels: pixels) }
            return try small(still(), pixels: pixels)
        } catch let error as StoreError where error.code == .thumbnailFailed {
            throw error
        } catch {
            throw StoreError(.thumbnailImageInvalid, cause: error)
        }
    }

    /// Returns the first frame, or one in the middle where that is empty, as many animations begin with nothing.
    private func still() throws -> VideoFrame {
        let middle = decoder.video.frames.count / 2
        var found: VideoFrame?
        try decoder.decode(
            where: { index, _ in found == nil || index >= middle },
            visit: { frame in
                let isFirst = found == nil
                if isFirst || !frame.isEmpty { found = frame }
                return isFirst && frame.isEmpty
            })
        guard let found else { throw StoreError(.imageWithoutPicture) }
        return found
    }

    /// Returns all frames, or as many of a faster video as are shown in a second at most.
    private func animation(pixels: Int) throws -> Picture {
        // Times are rounded to milliseconds in the file.
        let interval = 1 / Self.frameRate - 0.002
        // libvips takes 25 ms to scale a frame of 512 pixels to 128; the difference shows in a still picture only.
        let factor = max(1, max(decoder.video.facts.width, decoder.video.facts.height) / pixels)
        var times: [Double] = []
        var pictures: [Picture] = []
        try decoder.decode(
            where: { _, time in times.last.map { time - $0 >= interval } ?? true },
            visit: { frame in
                times.append(frame.time)
                pictures.append(try small(frame.reduced(by: factor), pixels: pixels))
                return true
            })
        guard let last = times.last else { throw StoreError(.imageWithoutPicture) }
        let end = max(decoder.video.facts.seconds, last + 1 / Self.frameRate)
        let milliseconds = (times + [end]).map { Int(($0 * 1000).rounded()) }
        let delays = zip(milliseconds.dropFirst(), milliseconds).map { $0 - $1 }
        return try Picture(frames: pictures, delays: delays)
    }

    private func small(_ frame: VideoFrame, pixels: Int) throws(StoreError) -> Picture {
        try Picture(
            colours: frame.colours, width: frame.width, height: frame.height, frames: 1, delay: 0
        ).small(pixels: pixels)
    }
}
