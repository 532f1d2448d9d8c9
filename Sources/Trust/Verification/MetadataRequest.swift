public import StoreModel

/// A request for a metadata file of a store.
public struct MetadataRequest: Sendable, Hashable {
    /// The name of the metadata file without version, such as `root.json`.
    public let file: String
    /// The version in the file's name on the server; `nil` for a name without version.
    public let version: Int?
    /// The maximum length in bytes; more must not be fetched.
    public let limit: Int

    /// The name of the file on the server, percent-encoded as one segment of a URL's path, such as `3.root.json`.
    public var remoteName: String {
        let name = MetadataFileName.encoded(file)
        guard let version else { return name }
        return "\(version).\(name)"
    }
}

extension MetadataRequest {
    /// The error of a file that is longer than the request allows.
    public var tooLong: StoreError { StoreError(.trustTooLong, ["file": .untrusted(file), "limit": .bytes(limit)]) }
    /// The error of a file that does not exist on the server.
    public var missing: StoreError { StoreError(.trustFileMissing, ["file": .untrusted(file)]) }
}

/// A namespace for the function that makes file names of metadata and targets safe: they can have any name.
package enum MetadataFileName {
    /// Returns a name in which all but ASCII letters, digits, `-`, `.`, `_` and `~` is percent-encoded.
    package static func encoded(_ name: String) -> String {
        var encoded = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + Hexadecimal.text([byte]).uppercased()
            }
        }
        return encoded
    }
}
