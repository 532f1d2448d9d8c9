import FoundationEssentials

extension InstalledPack: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var productIdentifier: String?
        var store: String?
        var signed: Bool?
        var operation: String?
        var kind: String?
        var name: String?
        var version: String?
        var path: String?
        var size: Int?
        var installedAt: Date?
        var held: Bool?
        var permissions: [Permission]?
        var dependencies: [String]?
        var state: [ProductState]?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "productIdentifier": productIdentifier = try reader.string()
            case "store": store = try reader.null() ? nil : reader.string()
            case "signed": signed = try reader.null() ? nil : reader.bool()
            case "operation": operation = try reader.null() ? nil : reader.string()
            case "kind": kind = try reader.string()
            case "name": name = try reader.string()
            case "version": version = try reader.null() ? nil : reader.string()
            case "path": path = try reader.string()
            case "size": size = try reader.integer()
            case "installedAt": installedAt = try reader.date()
            case "held": held = try reader.bool()
            case "permissions": permissions = try reader.array(of: Permission.self)
            case "dependencies":
                var identifiers: [String] = []
                try reader.array { reader throws(JSONReader.Malformed) in identifiers.append(try reader.string()) }
                dependencies = identifiers
            case "state": state = try reader.array(of: ProductState.self)
            default: try reader.skip()
            }
        }
        guard let productIdentifier, let kind, let name, let path, let size, let installedAt, let held, let permissions,
            let dependencies, let state
        else { throw reader.malformed }
        self.init(
            productIdentifier: productIdentifier, store: store, signed: signed,
            operation: operation.map(OperationID.init(rawValue:)),
            kind: ProductKind(rawValue: kind), name: name, version: version.map(Version.init), path: path, size: size,
            installedAt: installedAt, held: held, permissions: permissions, dependencies: dependencies,
            state: state)
    }
}

extension Permission: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        self.init(rawValue: try reader.string())
    }
}

extension ProductState: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        let word = try reader.string()
        guard let state = ProductState(rawValue: word) else { throw reader.malformed }
        self = state
    }
}
