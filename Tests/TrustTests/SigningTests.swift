import Foundation
import StoreModel
import StoreTrust
import Testing

/// Private keys, their files, and metadata that is signed with them.
@Suite struct SigningTests {
    private static let key = PrivateKey()
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a key file is decrypted with its passphrase only`() throws {
        let file = try EncryptedKey(Self.key, passphrase: "correct horse", derived: DerivedKeys(rounds: 1024))
            .fileContent
        let read = try EncryptedKey(parsing: file, path: "key.json")
        let key = try read.decrypted(passphrase: "correct horse", path: "key.json")
        #expect(key.publicKey == Self.key.publicKey)
        #expect(try key.signature(of: [1, 2, 3]).count == 64)
        for wrong in ["correct hors", "Correct horse", "correct horse ", "x"] {
            let error = try #require(throws: StoreError.self) {
                try read.decrypted(passphrase: wrong, path: "key.json")
            }
            #expect(error.code == .keyWrongPassphrase)
        }
    }

    @Test func `a key file contains no part of the private key in the clear`() throws {
        let key = PrivateKey()
        let first = String(
            decoding: try EncryptedKey(key, passphrase: "p", derived: DerivedKeys(rounds: 1024)).fileContent,
            as: UTF8.self)
        let second = String(
            decoding: try EncryptedKey(key, passphrase: "p", derived: DerivedKeys(rounds: 1024)).fileContent,
            as: UTF8.self)
        #expect(first.contains(key.publicKey.value))
        #expect(first != second, "salt and nonce are random")
    }

    @Test func `a key file with another public key or changed bytes is not decrypted`() throws {
        let file = String(
            decoding: try EncryptedKey(Self.key, passphrase: "p", derived: DerivedKeys(rounds: 1024)).fileContent,
            as: UTF8.self)
        let other = file.replacing(Self.key.publicKey.value, with: PrivateKey().publicKey.value)
        let ciphertext = try #require(file.firstMatch(of: /"ciphertext" : "([0-9a-f]+)"/)).1
        let otherDigit = ciphertext.hasPrefix("0") ? "1" : "0"
        let changed = file.replacing(ciphertext, with: otherDigit + ciphertext.dropFirst())
        let short = file.replacing(ciphertext, with: ciphertext.prefix(8))
        for damaged in [other, changed, short] {
            let read = try EncryptedKey(parsing: Data(damaged.utf8), path: "key.json")
            let error = try #require(throws: StoreError.self) { try read.decrypted(passphrase: "p", path: "key.json") }
            #expect(error.code == .keyWrongPassphrase)
        }
    }

    @Test func `a file that is no key file, or demands too much memory, is refused`() throws {
        let file = String(
            decoding: try EncryptedKey(Self.key, passphrase: "p", derived: DerivedKeys(rounds: 1024)).fileContent,
            as: UTF8.self)
        let damaged = [
            "", "{}", String(file.dropLast(20)), file.replacing("\"n\" : 1024", with: "\"n\" : 1073741824"),
            file.replacing("\"n\" : 1024", with: "\"n\" : 1023"), file.replacing("scrypt", with: "none"),
            file.replacing("\"r\" : 8", with: "\"r\" : 4096"),
            file.replacing("aes-256-gcm", with: "rot13"),
            file.replacing("\"keytype\" : \"ed25519\"", with: "\"keytype\" : \"x\""),
        ]
        for text in damaged {
            #expect(text != file)
            let error = try #require(throws: StoreError.self) { try EncryptedKey(parsing: Data(text.utf8), path: "k") }
            #expect(error.code == .keyDamaged)
        }
    }

    @Test func `the identifier of a key is the hash of its description`() {
        let key = PublicKey(ed25519: String(repeating: "ab", count: 32))
        let canonical = #"{"keytype":"ed25519","keyval":{"public":"\#(key.value)"},"scheme":"ed25519"}"#
        #expect(key.identifier == SHA256Digest(of: canonical.utf8).hex)
    }

    @Test func `metadata that is made and signed here is verified by the client`() async throws {
        let repository = try Repository()
        let metadata = try await repository.update()
        #expect(metadata.root.signed.hasConsistentSnapshots)
        #expect(metadata.targets.signed.file("catalogue.json")?.length == 7)
        #expect(metadata.expires == Self.start + 60)
    }

    @Test func `a signature of another document or key is not added`() throws {
        var document = MetadataDocument.targets(version: 1, expires: Self.start, files: [:])
        let other = MetadataDocument.targets(version: 2, expires: Self.start, files: [:])
        let signature = try Self.key.signature(of: other.signedBytes)
        let isAdded = document.add(signature: signature, of: Self.key.publicKey)
        #expect(!isAdded)
        #expect(document.signatures.isEmpty)
        try document.sign(by: Self.key)
        #expect(document.isSigned(by: Self.key.publicKey) && !document.isSigned(by: PrivateKey().publicKey))
        var copy = other
        copy.addSignatures(of: [Self.key.publicKey], from: document)
        #expect(copy.signatures.isEmpty)
    }

    @Test func `a fingerprint is read in any form that people write`() throws {
        let fingerprint = RootFingerprint(of: Data("root".utf8))
        let hex = fingerprint.description
        #expect(hex == SHA256Digest(of: "root".utf8).hex)
        #expect(fingerprint.grouped.split(separator: " ").count == 16)
        for text in [hex, hex.uppercased(), fingerprint.grouped, fingerprint.grouped.replacing(" ", with: ":")] {
            #expect(RootFingerprint(parsing: text) == fingerprint)
        }
        for text in ["", String(hex.dropLast()), hex + "0", "g" + hex.dropFirst()] {
            #expect(RootFingerprint(parsing: text) == nil)
        }
    }

    /// A repository of metadata that the product's code makes.
    private struct Repository {
        let files: [String: Data]

        init() throws {
            let key = PrivateKey()
            let roles = Dictionary(uniqueKeysWithValues: TopLevelRole.allCases.map { ($0, [key.publicKey]) })
            func signed(_ document: MetadataDocument) throws -> Data {
                var document = document
                try document.sign(by: key)
                return document.bytes
            }
            let start = SigningTests.start
            let root = try signed(.root(version: 1, expires: start + 400, RootContent(keys: roles)))
            let targets = try signed(
                .targets(version: 3, expires: start + 300, files: ["catalogue.json": Data("content".utf8)]))
            let snapshot = try signed(
                .snapshot(
                    version: 5, expires: start + 200, targets: SignedMetadata(parsing: targets, file: "targets.json")))
            let timestamp = try signed(
                .timestamp(
                    version: 9, expires: start + 60,
                    snapshot: SignedMetadata(parsing: snapshot, file: "snapshot.json")))
            files = [
                "1.root.json": root, "3.targets.json": targets, "5.snapshot.json": snapshot,
                "timestamp.json": timestamp,
            ]
        }

        func update() async throws -> VerifiedMetadata {
            var update = try MetadataUpdate(root: files["1.root.json"]!, at: SigningTests.start)
            while case .fetch(let request) = update.step {
                if let bytes = files[request.remoteName] {
                    _ = try update.receive(bytes)
                } else {
                    _ = try update.receiveMissing()
                }
            }
            guard case .done(let metadata) = update.step else { throw CancellationError() }
            return metadata
        }
    }
}
