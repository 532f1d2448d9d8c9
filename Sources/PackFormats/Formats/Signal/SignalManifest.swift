/// The manifest of a Signal pack, a message of Protocol Buffers: title 1, author 2, cover 3, stickers 4.
struct SignalManifest {
    struct Sticker {
        var id: UInt64 = 0
        var emoji = ""
    }

    private(set) var title = ""
    private(set) var author = ""
    private(set) var cover: Sticker?
    private(set) var stickers: [Sticker] = []

    /// Reads the message; `nil` if the bytes are not one.
    init?(_ bytes: [UInt8]) {
        var reader = ProtobufReader(bytes[...])
        while !reader.isAtEnd {
            guard let field = reader.next() else { return nil }
            switch (field.number, field.value) {
            case (1, .bytes(let bytes)):
                guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
                title = text
            case (2, .bytes(let bytes)):
                guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
                author = text
            case (3, .bytes(let bytes)):
                guard let sticker = Self.sticker(bytes) else { return nil }
                cover = sticker
            case (4, .bytes(let bytes)):
                guard let sticker = Self.sticker(bytes) else { return nil }
                stickers.append(sticker)
            default: break
            }
        }
    }

    private static func sticker(_ bytes: ArraySlice<UInt8>) -> Sticker? {
        var (reader, sticker) = (ProtobufReader(bytes), Sticker())
        while !reader.isAtEnd {
            guard let field = reader.next() else { return nil }
            switch (field.number, field.value) {
            case (1, .number(let id)): sticker.id = id
            case (2, .bytes(let bytes)):
                guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
                sticker.emoji = text
            default: break
            }
        }
        return sticker
    }
}
