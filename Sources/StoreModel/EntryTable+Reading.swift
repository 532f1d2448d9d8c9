extension EntryTable: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var format: Int?
        var entries: [Entry]?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "format": format = try reader.integer()
            case "entries": entries = try reader.array(of: Entry.self)
            default: try reader.skip()
            }
        }
        guard let format, let entries else { throw reader.malformed }
        self.init(entries: entries)
        self.format = format
    }
}

extension EntryTable.Entry: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var path: String?
        var method: String?
        var offset: Int?
        var compressedSize: Int?
        var size: Int?
        var sha256: SHA256Digest?
        var compressedSHA256: SHA256Digest?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "path": path = try reader.string()
            case "method": method = try reader.string()
            case "offset": offset = try reader.integer()
            case "compressedSize": compressedSize = try reader.integer()
            case "size": size = try reader.integer()
            case "sha256": sha256 = try SHA256Digest(from: &reader)
            case "compressedSHA256": compressedSHA256 = try reader.null() ? nil : SHA256Digest(from: &reader)
            default: try reader.skip()
            }
        }
        guard let path, let method = method.flatMap(EntryTable.Method.init(rawValue:)), let offset, let compressedSize,
            let size,
            let sha256
        else { throw reader.malformed }
        self.init(
            path: path, method: method, offset: offset, compressedSize: compressedSize, size: size, sha256: sha256,
            compressedSHA256: compressedSHA256)
    }
}

extension SHA256Digest: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        guard let digest = SHA256Digest(hex: try reader.string()) else { throw reader.malformed }
        self = digest
    }
}
