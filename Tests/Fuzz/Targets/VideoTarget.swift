import StoreImages
import StoreModel
import StoreTestSupport
import StoreVideos

extension FuzzTarget {
    /// Decodes videos: the input as a WebM file, and as the frames of one, in VP8 and in VP9, with and without opacity.
    @Sendable static func video(_ bytes: [UInt8]) throws {
        try decode(bytes)
        for codec in EncodedVideo.Codec.allCases {
            try decode(
                AnimationForge.webm(codec: codec.rawValue, width: 96, height: 64, clusters: cluster(of: bytes)))
        }
    }

    /// Returns a cluster of frames: a byte of the input says how long the next frame is and whether it has opacity.
    private static func cluster(of bytes: [UInt8]) -> [UInt8] {
        let element = AnimationForge.element
        var blocks: [UInt8] = []
        var rest = bytes[...]
        var time: UInt8 = 0
        while let first = rest.popFirst(), time < 40 {
            let length = Int(first >> 1) * 4 + 1
            let block = element([0xA1], [0x81, 0, time, 0] + rest.prefix(length))
            rest = rest.dropFirst(length)
            var additions: [UInt8] = []
            if first & 1 == 1, let second = rest.popFirst() {
                additions = element([0x75, 0xA1], element([0xA6], element([0xA5], Array(rest.prefix(Int(second))))))
                rest = rest.dropFirst(Int(second))
            }
            blocks += element([0xA0], block + additions)
            time += 1
        }
        return element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + blocks)
    }

    private static func decode(_ bytes: [UInt8]) throws {
        do {
            let decoder = try VideoDecoder(bytes)
            let video = decoder.video
            require(!video.frames.isEmpty && video.frames.count <= 360, "\(video.frames.count) frames")
            for frame in video.frames {
                let ranges = [frame.colours] + (frame.opacity.map { [$0] } ?? [])
                require(ranges.allSatisfy { $0.upperBound <= bytes.count }, "a frame outside the file")
                require(frame.time >= 0 && frame.time <= 3.1, "a frame at \(frame.time) s")
            }
            try decoder.decode { frame in
                requireSame([frame.width, frame.height], [video.facts.width, video.facts.height], "the size")
                requireSame(frame.colours.count, frame.width * frame.height * 4, "the size of the colours")
                return true
            }
        } catch let error as StoreError {
            require(error.code.rawValue.hasPrefix("content."), error.code.rawValue)
        }
    }
}
