public import FoundationEssentials
public import StoreModel

/// A metadata file that is being made: its signed part, and the signatures that it has so far.
public struct MetadataDocument: Sendable, Hashable {
    /// The part of the metadata file that is signed.
    public let signed: CanonicalJSON
    /// The signatures in hexadecimal digits by identifier of the key.
    public private(set) var signatures: [String: String] = [:]

    /// Creates a metadata file without signatures.
    ///
    /// - Parameter members: the members that the role has beside type, version and expiry.
    init(_ role: TopLevelRole, version: Int, expires: Date, _ members: [String: CanonicalJSON]) {
        var signed = members
        signed["_type"] = .string(role.rawValue)
        signed["spec_version"] = .string("1.0.31")
        signed["version"] = .integer(String(version))
        signed["expires"] = .string(expires.representable.formatted(.iso8601))
        self.signed = .object(signed)
    }

    /// Parses a metadata file with the signatures that it has so far, none of which is verified.
    ///
    /// - Throws: `trust.malformed`.
    public init(parsing bytes: Data, file: String) throws(StoreError) {
        let json: CanonicalJSON
        do throws(JSONReader.Malformed) {
            json = try JSON.read(from: bytes)
        } catch {
            throw StoreError(.trustInvalid, ["file": .untrusted(file), "reason": .untrusted(error.description)])
        }
        let document = MetadataValue(json: json, name: file, file: file)
        signed = try document.member("signed").json
        for signature in try document.member("signatures").array() {
            signatures[try signature.member("keyid").string()] = try signature.member("sig").string()
        }
    }

    /// The metadata file with the signatures so far.
    public var bytes: Data {
        let list = signatures.sorted { $0.key < $1.key }.map { identifier, signature in
            CanonicalJSON.object(["keyid": .string(identifier), "sig": .string(signature)])
        }
        return Data(CanonicalJSON.object(["signed": signed, "signatures": .array(list)]).encoded)
    }

    /// The bytes that keys sign.
    public var signedBytes: [UInt8] { signed.encoded }

    /// Returns whether the document has a valid signature of a key.
    public func isSigned(by key: PublicKey) -> Bool {
        signatures[key.identifier].map { key.isValid(signature: $0, for: signedBytes) } ?? false
    }

    /// Adds the signature of a key; `false` if it is not one of the key for this document.
    public mutating func add(signature: [UInt8], of key: PublicKey) -> Bool {
        let text = Hexadecimal.text(signature)
        guard key.isValid(signature: text, for: signedBytes) else { return false }
        signatures[key.identifier] = text
        return true
    }

    /// Adds the signatures of keys that another copy of the document has, as far as they are valid for this one.
    public mutating func addSignatures(of keys: some Sequence<PublicKey>, from other: MetadataDocument) {
        let signed = signedBytes
        for key in keys {
            guard let signature = other.signatures[key.identifier], key.isValid(signature: signature, for: signed)
            else { continue }
            signatures[key.identifier] = signature
        }
    }

    /// Signs the document with a private key.
    public mutating func sign(by key: PrivateKey) throws {
        _ = add(signature: try key.signature(of: signedBytes), of: key.publicKey)
    }

    /// Returns how many of a role's keys have signed the document.
    public func signatureCount(by role: RoleKeys, of keys: [String: PublicKey]) -> Int {
        Set(role.keyIDs.compactMap { keys[$0] }.filter(isSigned)).count
    }
}
