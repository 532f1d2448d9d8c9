/// The video in a WebM file, whose frames are found but not decoded.
public struct EncodedVideo: Sendable, Hashable {
    /// The codec of a video.
    public enum Codec: String, Sendable, Hashable, CaseIterable {
        case vp8 = "V_VP8"
        case vp9 = "V_VP9"
    }

    /// An encoded frame: bytes of the file for a decoder.
    public struct Frame: Sendable, Hashable {
        /// The time in seconds from the start at which the frame is shown.
        public let time: Double
        /// The bytes of the colours.
        public let colours: Range<Int>
        /// The bytes of a second frame, of the same codec and size, whose brightness is the opacity; `nil` for an opaque
        /// frame.
        public let opacity: Range<Int>?
    }

    /// The size and duration of the video.
    public let facts: AnimationFacts
    /// The codec of all frames.
    public let codec: Codec
    /// The number of the matrix between YUV and RGB that the file states for colours, which ITU-T H.273 assigns; `nil` if
    /// it states none, or that it is unknown.
    public let matrix: Int?
    /// The frames in the order in which they are decoded; at least one.
    ///
    /// A decoder may return no picture for one of them: later frames only refer to it.
    public let frames: [Frame]
}
