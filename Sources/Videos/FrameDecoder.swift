import StoreCVPX
import StoreImages
import StoreModel

/// A decoder of VP8 or VP9, whose frames all have one size; it is released with the object.
final class FrameDecoder {
    private let decoder: UnsafeMutablePointer<CVPXDecoder>
    private let video: EncodedVideo

    /// Creates a decoder of frames with the size and the codec that the file states.
    ///
    /// - Throws: `content.image-damaged` if there is no memory.
    init(_ video: EncodedVideo) throws(StoreError) {
        let isVP9: Int32 = video.codec == .vp9 ? 1 : 0
        guard let decoder = cvpx_create(isVP9, UInt32(video.facts.width), UInt32(video.facts.height)) else {
            throw StoreError(.imageFrameNotDecodable)
        }
        self.decoder = decoder
        self.video = video
    }

    deinit { cvpx_release(decoder) }

    /// Decodes a block of the file, and returns its picture, which is valid until the next call; `nil` if it shows none.
    ///
    /// - Throws: `content.image-damaged` if a frame is damaged, or has another size.
    func decode(_ block: ArraySlice<UInt8>) throws(StoreError) -> vpx_image_t? {
        guard video.codec == .vp9 else { return try decode(bytes: block) }
        let frames = try VP9Block(block)
        try frames.requireSize(width: video.facts.width, height: video.facts.height)
        return try decode(bytes: frames.bytesWithIndex[...])
    }

    private func decode(bytes: ArraySlice<UInt8>) throws(StoreError) -> vpx_image_t? {
        var picture: UnsafePointer<vpx_image_t>?
        let result = bytes.withUnsafeBufferPointer {
            cvpx_decode(decoder, $0.baseAddress, UInt32(clamping: $0.count), &picture)
        }
        switch result {
        case CVPX_DECODED: return picture?.pointee
        case CVPX_OTHER_SIZE: throw StoreError(.imageSizeMismatch)
        default: throw StoreError(.imageFrameNotDecodable)
        }
    }
}
