/// Makes animations as Telegram has them.
public enum AnimationForge {
    /// A cluster of one block, whose frame no decoder reads.
    public static let webmCluster = element(
        [0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + element([0xA3], [0x81, 0, 0, 0x80, 1, 2, 3]))

    /// Returns a WebM film.
    ///
    /// - Parameters:
    ///   - track: further elements of its track.
    ///   - clusters: the elements after those that describe it.
    public static func webm(
        docType: String = "webm", codec: String = "V_VP9", width: Int = 512, height: Int = 512, seconds: Double = 2,
        trackType: UInt8 = 1, track more: [UInt8] = [], clusters: [UInt8] = webmCluster
    ) -> [UInt8] {
        let header = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array(docType.utf8)))
        let bits = (seconds * 1000).bitPattern
        let duration = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        let info = element(
            [0x15, 0x49, 0xA9, 0x66],
            element([0x2A, 0xD7, 0xB1], [0x0F, 0x42, 0x40]) + element([0x44, 0x89], duration))
        let video = element(
            [0xE0], element([0xB0], ImageForge.big16(width)) + element([0xBA], ImageForge.big16(height)))
        let track = element([0xAE], element([0x83], [trackType]) + element([0x86], Array(codec.utf8)) + video + more)
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], track)
        return header + element([0x18, 0x53, 0x80, 0x67], info + tracks + clusters)
    }

    public static func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
        identifier + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    /// Returns a Lottie document in gzip.
    public static func tgs(
        _ members: String = "", width: Int = 512, rate: Int = 60, frames: Int = 180,
        layers: String = #"[{"ty":4,"nm":"x","ks":{"o":{"a":0,"k":100,"x":[1]}}}]"#
    ) -> [UInt8] {
        gzip(
            Array(
                #"{"tgs":1,"v":"5.5.2","fr":\#(rate),"ip":0,"op":\#(frames),"w":\#(width),"h":512,\#(members)"layers":\#(layers)}"#
                    .utf8))
    }

    /// Returns a TGS animation of 512 × 512 pixels: a red disc that grows, from nothing or from a small one.
    public static func disc(from size: Int) -> [UInt8] {
        tgs(
            rate: 30, frames: 60,
            layers: """
                [{"ty":4,"nm":"disc","ip":0,"op":60,"st":0,"ks":{"o":{"a":0,"k":100},"r":{"a":0,"k":0},\
                "p":{"a":0,"k":[256,256,0]},"a":{"a":0,"k":[0,0,0]},"s":{"a":0,"k":[100,100,100]}},"shapes":[\
                {"ty":"gr","it":[{"ty":"el","p":{"a":0,"k":[0,0]},"s":{"a":1,"k":[\
                {"t":0,"s":[\(size),\(size)],"e":[500,500],"i":{"x":[1],"y":[1]},"o":{"x":[0],"y":[0]}},{"t":59}]}},\
                {"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},\
                {"ty":"tr","p":{"a":0,"k":[0,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},\
                "r":{"a":0,"k":0},"o":{"a":0,"k":100}}]}]}]
                """)
    }

    /// Returns bytes in gzip, not compressed (RFC 1952; RFC 1951, 3.2.4).
    public static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var deflate: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            deflate +=
                [rest.isEmpty ? 1 : 0] + ImageForge.little16(block.count) + ImageForge.little16(~block.count & 0xFFFF)
                + block
        } while !rest.isEmpty
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflate + ImageForge.little(Int(crc32(bytes)))
            + ImageForge.little(bytes.count)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }
}
