import FoundationEssentials
import StoreModel

/// A validator of a TGS animation: a Lottie document (JSON) in gzip, with the restrictions of Telegram's stickers.
struct TGSReader {
    private let bytes: [UInt8]
    private let limits: AnimationLimits

    init(_ bytes: [UInt8], limits: AnimationLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func read() throws -> AnimationFacts {
        let json = try inflate()
        do {
            var reader = LottieReader()
            try reader.read(json)
            guard let width = reader.width, let height = reader.height, let rate = reader.frameRate, rate > 0,
                let first = reader.firstFrame, let last = reader.lastFrame, reader.hasLayers
            else { throw StoreError(.animationNotLottie) }
            if reader.hasImages { throw StoreError(.animationWithImages) }
            guard rate <= limits.frameRate else {
                throw StoreError(.animationTooFast, ["rate": "\(rate)", "limit": "\(limits.frameRate)"])
            }
            if try JSON.read(ExpressionSearch.self, from: json).found { throw StoreError(.animationWithExpression) }
            return AnimationFacts(format: .tgs, width: width, height: height, seconds: (last - first) / rate)
        } catch is JSONReader.Malformed {
            throw StoreError(.animationNotLottie)
        }
    }

    /// Returns the content of the gzip file, which must end with it.
    func inflate() throws(StoreError) -> [UInt8] { try GzipFile(bytes).content(limit: limits.lottieSize) }
}

/// A search of a Lottie document for an expression: a property `x` that is a string with a program.
///
/// Everything else that is called `x` is a number or a list of numbers.
private struct ExpressionSearch: JSONReadable {
    let found: Bool

    init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var found = false
        switch reader.nextByte {
        case UInt8(ascii: "{"):
            try reader.object { (reader, name) throws(JSONReader.Malformed) in
                // The name may be written with escapes.
                if case "x" = name, reader.nextByte == UInt8(ascii: "\"") { found = true }
                found = try ExpressionSearch(from: &reader).found || found
            }
        case UInt8(ascii: "["):
            try reader.array { reader throws(JSONReader.Malformed) in
                found = try ExpressionSearch(from: &reader).found || found
            }
        default: try reader.skip()
        }
        self.found = found
    }
}

/// Reads the members of a Lottie document that say how large and how long it is.
private struct LottieReader {
    var width: Int?
    var height: Int?
    var frameRate: Double?
    var firstFrame: Double?
    var lastFrame: Double?
    var hasLayers = false
    /// Whether the document embeds or refers to an image, which a vector animation of Telegram must not.
    var hasImages = false

    mutating func read(_ json: [UInt8]) throws(JSONReader.Malformed) {
        self = try JSON.read(Members.self, from: Data(json)).found
    }

    private struct Members: JSONReadable {
        var found = LottieReader()

        init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
            var found = LottieReader()
            try reader.object { (reader, name) throws(JSONReader.Malformed) in
                switch name {
                case "w": found.width = Int(exactly: try reader.real().rounded())
                case "h": found.height = Int(exactly: try reader.real().rounded())
                case "fr": found.frameRate = try reader.real()
                case "ip": found.firstFrame = try reader.real()
                case "op": found.lastFrame = try reader.real()
                case "layers":
                    try reader.array { reader throws(JSONReader.Malformed) in
                        found.hasLayers = true
                        try reader.skip()
                    }
                case "assets":
                    try reader.array { reader throws(JSONReader.Malformed) in
                        try reader.object { (reader, name) throws(JSONReader.Malformed) in
                            if case "p" = name { found.hasImages = true }
                            try reader.skip()
                        }
                    }
                default: try reader.skip()
                }
            }
            self.found = found
        }
    }
}
