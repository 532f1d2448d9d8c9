import FoundationEssentials
public import StoreModel

// The index of a large library is read at each start, which Codable alone made wait.

extension LibraryEntry: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var pack: LibraryPack?
        var stamp: Stamp?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "pack": pack = try LibraryPack(from: &reader)
            case "stamp": stamp = try reader.null() ? nil : Stamp(from: &reader)
            default: try reader.skip()
            }
        }
        guard let pack else { throw reader.malformed }
        self.init(pack: pack, stamp: stamp)
    }
}

extension LibraryEntry.Stamp: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var inode: UInt64?
        var size: Int?
        var modifiedAt: Double?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "inode": inode = try reader.unsigned()
            case "size": size = try reader.integer()
            case "modifiedAt": modifiedAt = try reader.real()
            default: try reader.skip()
            }
        }
        guard let inode, let size, let modifiedAt else { throw reader.malformed }
        self.init(inode: inode, size: size, modifiedAt: modifiedAt)
    }
}

extension LibraryPack: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var folder: String?
        var productIdentifier: String?
        var kind: String?
        var name: LocalizedText?
        var version: String?
        var size: Int?
        var installedAt: Date?
        var origin: Origin?
        var receiptIsDamaged: Bool?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "folder": folder = try reader.string()
            case "productIdentifier": productIdentifier = try reader.string()
            case "kind": kind = try reader.string()
            case "name": name = try LocalizedText(from: &reader)
            case "version": version = try reader.null() ? nil : reader.string()
            case "size": size = try reader.integer()
            case "installedAt": installedAt = try reader.date()
            case "origin": origin = try reader.null() ? nil : Origin(from: &reader)
            case "receiptIsDamaged": receiptIsDamaged = try reader.bool()
            default: try reader.skip()
            }
        }
        guard let folder, let productIdentifier, let kind, let name, let size, let installedAt, let receiptIsDamaged
        else { throw reader.malformed }
        self.init(
            folder: folder, productIdentifier: productIdentifier, kind: ProductKind(rawValue: kind), name: name,
            version: version.map(Version.init), size: size, installedAt: installedAt, origin: origin,
            receiptIsDamaged: receiptIsDamaged)
    }
}

extension LibraryPack.Origin: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var store: String?
        var operation: String?
        var held: Bool?
        var price: String?
        var dependencies: [String] = []
        var permissions: [Permission] = []
        var archive: Receipt.Archive?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "store": store = try reader.string()
            case "operation": operation = try reader.string()
            case "held": held = try reader.bool()
            case "price": price = try reader.string()
            case "dependencies":
                try reader.array { reader throws(JSONReader.Malformed) in dependencies.append(try reader.string()) }
            case "permissions": permissions = try reader.array(of: Permission.self)
            case "archive": archive = try Receipt.Archive(from: &reader)
            default: try reader.skip()
            }
        }
        guard let store, let operation, let held, let price, let archive else { throw reader.malformed }
        self.init(
            store: store, operation: OperationID(rawValue: operation), held: held, price: Price(price),
            dependencies: dependencies, permissions: permissions, archive: archive)
    }
}

extension Receipt.Archive {
    fileprivate init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var url: URL?
        var size: Int?
        var sha256: SHA256Digest?
        var etag: String?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "url": url = try reader.null() ? nil : URL(string: reader.string())
            case "size": size = try reader.integer()
            case "sha256": sha256 = SHA256Digest(hex: try reader.string())
            case "etag": etag = try reader.null() ? nil : reader.string()
            default: try reader.skip()
            }
        }
        guard let size, let sha256 else { throw reader.malformed }
        self.init(url: url, size: size, sha256: sha256, etag: etag)
    }
}
