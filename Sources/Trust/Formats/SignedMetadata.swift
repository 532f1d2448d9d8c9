public import FoundationEssentials
public import StoreModel

/// What the signed parts of all metadata files have.
public protocol MetadataRole: Sendable {
    /// The value of the member `_type`.
    static var type: String { get }
    /// The version number, which grows with each change.
    var version: Int { get }
    /// The date from which on the metadata must not be trusted.
    var expires: Date { get }
    /// Reads the members of a metadata file that its type has beside version and expiry.
    init(version: Int, expires: Date, from signed: MetadataMembers) throws(StoreError)
}

/// The members of the signed part of a metadata file.
public struct MetadataMembers {
    let value: MetadataValue
}

/// A parsed metadata file, whose signatures are checked with ``verify(by:of:)``.
///
/// Members that the specification does not define are part of what is signed, and otherwise ignored (section 4).
public struct SignedMetadata<Role: MetadataRole>: Sendable {
    /// The signed part of the metadata file.
    public let signed: Role
    /// The metadata file as it was received.
    public let bytes: Data
    /// The name of the metadata file without version, such as `root.json`.
    public let file: String
    private let canonical: [UInt8]
    private let signatures: [String: String]

    /// Parses a metadata file without verifying anything but its layout.
    ///
    /// - Parameter file: the name of the file without version, for messages.
    /// - Throws: `trust.malformed` or `trust.unsupported`.
    public init(parsing bytes: Data, file: String) throws(StoreError) {
        let json: CanonicalJSON
        do throws(JSONReader.Malformed) {
            json = try JSON.read(from: bytes)
        } catch {
            throw StoreError(.trustInvalid, ["file": .untrusted(file), "reason": .untrusted(error.description)])
        }
        let document = MetadataValue(json: json, name: file, file: file)
        let signed = try document.member("signed")
        self.bytes = bytes
        self.file = file
        signatures = try Self.signatures(try document.member("signatures"))
        let type = try signed.member("_type")
        guard try type.string() == Role.type else { throw type.invalid("is not '\(Role.type)'") }
        try Self.checkSpecification(try signed.member("spec_version"))
        self.signed = try Role(
            version: try signed.member("version").integer(from: 1), expires: try signed.member("expires").date(),
            from: MetadataMembers(value: signed))
        canonical = signed.json.encoded
    }

    private static func signatures(_ value: MetadataValue) throws(StoreError) -> [String: String] {
        var signatures: [String: String] = [:]
        for signature in try value.array() {
            let keyID = try signature.member("keyid").string()
            // Section 4.2.1: "multiple signatures with the same keyid are not allowed".
            guard signatures.updateValue(try signature.member("sig").string(), forKey: keyID) == nil else {
                throw value.invalid("has two signatures of the key '\(keyID)'")
            }
        }
        return signatures
    }

    private static func checkSpecification(_ value: MetadataValue) throws(StoreError) {
        let version = try value.string()
        guard version == "1" || version.hasPrefix("1.") else {
            throw StoreError(.trustSpecification, ["file": .untrusted(value.file), "version": .untrusted(version)])
        }
    }

    /// Checks that a threshold of a role's keys have signed the metadata.
    ///
    /// Each key counts once, also if it is listed under several identifiers. Signatures that are not valid, and keys of
    /// unknown kinds, do not count (sections 5.3.4, 5.4.2, 5.5.3 and 5.6.3).
    ///
    /// - Parameters:
    ///   - role: the identifiers of the trusted keys, and their threshold.
    ///   - keys: the keys by identifier.
    /// - Throws: `trust.signature`.
    public func verify(by role: RoleKeys, of keys: [String: PublicKey]) throws(StoreError) {
        let found = validSignatures(by: role, of: keys)
        guard found >= role.threshold else {
            throw StoreError(
                .trustThreshold, ["file": .untrusted(file), "found": found, "threshold": role.threshold])
        }
    }

    /// Returns the number of different keys of a role that have signed the metadata.
    func validSignatures(by role: RoleKeys, of keys: [String: PublicKey]) -> Int {
        var signers: Set<PublicKey> = []
        for keyID in role.keyIDs {
            guard let key = keys[keyID], let signature = signatures[keyID], !signers.contains(key) else { continue }
            if key.isValid(signature: signature, for: canonical) { signers.insert(key) }
        }
        return signers.count
    }

    /// Checks that the metadata has not expired at the start of the update.
    ///
    /// - Throws: `trust.expired`.
    public func checkExpiry(at start: Date) throws(StoreError) {
        guard signed.expires > start else {
            throw StoreError(
                .trustHasExpired,
                ["file": .untrusted(file), "date": signed.expires.representable.formatted(.iso8601)])
        }
    }
}
