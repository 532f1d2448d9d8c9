public import FoundationEssentials
import StoreModel

extension InstalledStickerList {
    /// Returns the list as JSON, with the same bytes as `JSON.encode`, but much faster.
    ///
    /// A person who types into a search expects an answer for each letter.
    public func json() throws -> Data {
        var writer = JSONWriter()
        writer.write(json: #"{"stickers":"#)
        try writer.write(list: stickers) { try $1.write(to: &$0) }
        if let total {
            writer.write(json: #","total":"#)
            writer.write(total)
        }
        writer.write(json: "}")
        return Data(writer.bytes)
    }
}

extension InstalledSticker {
    fileprivate func write(to writer: inout JSONWriter) throws {
        writer.write(json: #"{"favourite":"#)
        writer.write(favourite)
        writer.write(json: #","packName":"#)
        try writer.write(packName)
        writer.write(json: #","productIdentifier":"#)
        try writer.write(productIdentifier)
        writer.write(json: #","sentAt":"#)
        if let sentAt { writer.write(json: try JSON.encode(sentAt)) } else { writer.write(json: "null") }
        writer.write(json: #","sentCount":"#)
        writer.write(sentCount)
        writer.write(json: #","sticker":"#)
        try sticker.write(to: &writer)
        writer.write(json: "}")
    }
}

extension Sticker {
    fileprivate func write(to writer: inout JSONWriter) throws {
        writer.write(json: #"{"description":"#)
        if let description { try writer.write(description) } else { writer.write(json: "null") }
        writer.write(json: #","emoji":"#)
        try writer.write(list: emoji) { try $0.write($1) }
        writer.write(json: #","file":"#)
        try writer.write(file)
        writer.write(json: #","id":"#)
        try writer.write(id)
        writer.write(json: #","image":"#)
        if let image { try image.write(to: &writer) } else { writer.write(json: "null") }
        writer.write(json: #","keywords":"#)
        try writer.write(list: keywords) { try $0.write($1) }
        writer.write(json: #","path":"#)
        try writer.write(path)
        writer.write(json: #","thumbnail":"#)
        try writer.write(thumbnail)
        writer.write(json: #","url":"#)
        try writer.write(url)
        writer.write(json: "}")
    }
}

extension StickerImage {
    fileprivate func write(to writer: inout JSONWriter) throws {
        writer.write(json: #"{"animated":"#)
        writer.write(animated)
        writer.write(json: #","height":"#)
        writer.write(height)
        writer.write(json: #","mediaType":"#)
        try writer.write(mediaType)
        writer.write(json: #","size":"#)
        writer.write(size)
        writer.write(json: #","width":"#)
        writer.write(width)
        writer.write(json: "}")
    }
}
