import FoundationEssentials
import NIOCore
import StoreModel

@testable import StoreAPI
@testable import StoreClient
@testable import StoreServer
@testable import StoreStickers
@testable import StoreTransfers

extension FuzzTarget {
    /// Checks that three versions, one on each line, have a total order.
    @Sendable static func versions(_ bytes: [UInt8]) throws {
        let texts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == 3 else { return }
        let versions = texts.map { Version($0) }
        for a in versions {
            require(a == a && !(a < a), "'\(a)' is not itself")
            for b in versions {
                let relations = [a < b, b < a, a == b].filter { $0 }.count
                requireSame(relations, 1, "'\(a)' and '\(b)'")
                if a == b { requireSame(a.hashValue, b.hashValue, "hashes of '\(a)' and '\(b)'") }
            }
        }
        let (a, b, c) = (texts[0], texts[1], texts[2])
        if isNaturallyBefore(a, b) {
            require(!isNaturallyBefore(b, a), "natural order of '\(a)' and '\(b)'")
            if isNaturallyBefore(b, c) { require(isNaturallyBefore(a, c), "natural order of '\(texts)'") }
        }
    }

    /// Checks texts that occur in headers, paths and names.
    @Sendable static func texts(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let segment = PathSegment.encode(text)
        requireSame(PathSegment.decode(segment).map { Array($0.utf8) }, Array(text.utf8), "a path's segment")
        require(segment.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }, "segment \(segment)")
        _ = PathSegment.decode(text)

        let name = PackDirectoryName(productIdentifier: text).text
        require(name.utf8.count <= 200 && !name.hasPrefix(".") && !name.contains("/"), "folder \(name)")

        for language in AcceptedLanguages.parse(text) { require(!language.isEmpty, "an empty language") }
        let size = Int(bytes.first ?? 0)
        if case .part(let range) = ByteRange(text, size: size) {
            require(!range.isEmpty && range.upperBound <= size, "range \(range) of \(size)")
        }
        if let range = ContentRange(text), let total = range.total, let part = range.bytes {
            require(part.upperBound < total, "range \(range)")
        }
        let price = Price(text)
        requireSame(Price(price.description), price, "a price")
        let localized = LocalizedText(byLanguage: text.isEmpty ? [:] : ["": text, text: "x"])
        _ = localized.text(in: [text])
        try requireStable(localized)
        _ = SHA256Digest(hex: text)
    }

    /// Checks that a text is the only text of a sticker reference, or none.
    @Sendable static func stickerReference(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self), let reference = StickerReference(text: text) else {
            return
        }
        requireSame(Array(reference.text.utf8), bytes, "the text of a reference")
        requireSame(StickerReference(text: reference.text), reference, "a reference")
        require(text.utf8.count <= StickerReference.maximumLength, "the length of \(text)")
        require(!reference.productIdentifier.isEmpty && !reference.sticker.isEmpty, "an empty name in \(text)")
        try requireStable(reference)
    }

    /// Checks the header lines of a response and the values in them.
    @Sendable static func response(_ bytes: [UInt8]) throws {
        var reader = ResponseHeaderParser(followsRedirects: bytes.first.map { $0 & 1 == 1 } ?? false)
        for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let event = (Array(line) + [UInt8(ascii: "\n")]).withUnsafeBytes { reader.read($0) }
            require(event != nil, "too many headers")
            if event == .complete { break }
        }
        guard let url = URL(string: "https://store.example/x") else { return }
        let response = TransferResponse(status: reader.status, headers: reader.headers, effectiveURL: url)
        if let length = response.contentLength { require(length >= 0, "length \(length)") }
        if let range = response.contentRange, let total = range.total, let part = range.bytes {
            require(part.lowerBound >= 0 && part.upperBound < total, "range \(range)")
        }
        _ = response.lastModified
        if let pause = response.retryAfter { require(pause >= .zero, "pause \(pause)") }
        for field in response.headers {
            require(
                response.headers[field.name.uppercased()] != nil || !field.name.utf8.allSatisfy { $0 < 0x80 }, "field")
        }
    }

    /// Checks the parser of server-sent events, which receives chunks of any length.
    @Sendable static func events(_ bytes: [UInt8]) throws {
        var whole = ServerSentEvents(longest: 600)
        let expected = whole.take(bytes)
        for length in [1, 2, 3, 7, 64] {
            var pieces = ServerSentEvents(longest: 600)
            var found: [ServerSentEvents.Message] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                found += pieces.take(bytes[start..<min(start + length, bytes.count)])
            }
            require(found == expected, "pieces of \(length)")
            requireSame(pieces.isOverlong, whole.isOverlong, "pieces of \(length)")
        }
        for message in expected {
            let data = Data(message.data.utf8)
            try requireStable(Event.self, data)
            try requireStable(SnapshotDocument.self, data)
            try requireStable(ProblemDocument.self, data)
            guard let event = try? JSON.decode(Event.self, from: data) else { continue }
            // An encoded event is decoded to the same value.
            var frame = ByteBuffer()
            ServerSentEventStream.addFrame(sequence: event.sequence, json: try JSON.encode(event), to: &frame)
            var reader = ServerSentEvents()
            requireSame(
                reader.take(frame.readableBytesView).map(\.data),
                [String(decoding: try JSON.encode(event), as: UTF8.self)],
                "a frame")
        }
    }
}
