import FoundationEssentials
public import StoreModel

import struct Crypto.SHA256
import struct Crypto.SHA384
import struct Crypto.SHA512

/// The hashes of one file by algorithm, at least one.
public struct FileHashes: Sendable, Hashable {
    /// The hashes in hexadecimal digits by algorithm, such as `sha256`.
    public let digests: [String: String]

    init(from value: MetadataValue) throws(StoreError) {
        var digests: [String: String] = [:]
        for (algorithm, digest) in try value.object() {
            let text = try digest.string()
            guard let bytes = Hexadecimal.bytes(text), !bytes.isEmpty else {
                throw digest.invalid("is not a hash in hexadecimal digits")
            }
            digests[algorithm] = text
        }
        guard !digests.isEmpty else { throw value.invalid("is empty") }
        self.digests = digests
    }

    /// The SHA-256 of the file, if it is stated.
    public var sha256: SHA256Digest? { digests["sha256"].flatMap(SHA256Digest.init(hex:)) }

    /// The hash that a file's name contains where the repository has consistent snapshots.
    ///
    /// Repositories have the file under each of its hashes (section 6.2.1).
    public var nameDigest: String { digests["sha256"] ?? digests.min { $0.key < $1.key }?.value ?? "" }

    private static func digest(_ algorithm: String, of bytes: Data) -> [UInt8]? {
        switch algorithm {
        case "sha256": Array(SHA256.hash(data: bytes))
        case "sha384": Array(SHA384.hash(data: bytes))
        case "sha512": Array(SHA512.hash(data: bytes))
        default: nil
        }
    }

    /// Checks that a file has a length and hashes, as far as they are stated.
    ///
    /// - Throws: `trust.hash-mismatch`, or `trust.unsupported` if no kind of the hashes is known.
    static func check(_ bytes: Data, length: Int?, hashes: FileHashes?, file: String) throws(StoreError) {
        if let length, bytes.count != length {
            throw StoreError(
                .trustLengthDiffers,
                ["file": .untrusted(file), "found": .bytes(bytes.count), "expected": .bytes(length)])
        }
        guard let hashes else { return }
        var isKnown = false
        for (algorithm, expected) in hashes.digests {
            guard let found = digest(algorithm, of: bytes) else { continue }
            isKnown = true
            guard found == Hexadecimal.bytes(expected) else {
                throw StoreError(.trustHashDiffers, ["file": .untrusted(file), "algorithm": .untrusted(algorithm)])
            }
        }
        guard isKnown else {
            let algorithms = hashes.digests.keys.sorted().joined(separator: ", ")
            throw StoreError(.trustHashesUnknown, ["file": .untrusted(file), "algorithms": .untrusted(algorithms)])
        }
    }
}
