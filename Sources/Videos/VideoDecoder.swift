import StoreCVPX
public import StoreImages
import StoreModel

/// Decodes the frames of a WebM video, with their opacity, with libvpx.
///
/// ```swift
/// let decoder = try VideoDecoder(bytes)
/// try decoder.decode { frame in
///     print(frame.time, frame.width, frame.height)
///     return true
/// }
/// ```
public struct VideoDecoder: Sendable {
    /// The video, whose frames are not decoded.
    public let video: EncodedVideo

    private let bytes: [UInt8]

    /// Validates a WebM file in memory; no frame is decoded.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public init(_ bytes: [UInt8]) throws {
        video = try AnimationReader().readVideo(bytes)
        self.bytes = bytes
    }

    /// Decodes the frames in order, until no further ones are needed.
    ///
    /// - Parameters:
    ///   - isNeeded: returns whether a frame is converted to RGB and visited, by its index in the file and its time in
    ///     seconds; other frames are decoded only because later ones refer to them.
    ///   - visit: receives a frame that is shown, and returns whether further ones are needed.
    /// - Throws: `content.image-damaged` if a frame is damaged or has another size than the file states; an error of `visit`.
    public func decode(
        where isNeeded: (_ index: Int, _ time: Double) -> Bool = { _, _ in true },
        visit: (VideoFrame) throws -> Bool
    ) throws {
        let colourDecoder = try FrameDecoder(video)
        // The opacity is a video of its own, whose frames refer to each other.
        let opacityDecoder = try video.frames.contains { $0.opacity != nil } ? FrameDecoder(video) : nil
        // A picture is in the memory of its decoder.
        try withExtendedLifetime((colourDecoder, opacityDecoder)) {
            for (index, frame) in video.frames.enumerated() {
                let colours = try colourDecoder.decode(bytes[frame.colours])
                let opacity = try frame.opacity.flatMap { try opacityDecoder?.decode(bytes[$0]) }
                guard let colours, isNeeded(index, frame.time) else { continue }
                let shown = VideoFrame(colours, opacity: opacity, matrix: video.matrix, time: frame.time)
                guard try visit(shown) else { return }
            }
        }
    }
}
