import FoundationEssentials
import StoreModel
import StoreSystem
public import StoreTrust

/// A directory of encrypted private keys, one file for each, which only the publisher may read.
public struct KeyDirectory: Sendable {
    /// The path of the directory as the publisher gave it.
    public let path: String
    private let directory: Directory

    /// Opens a directory of keys, or creates it.
    ///
    /// - Parameters:
    ///   - path: the path of the directory.
    ///   - publicPath: the path of the directory that is served, beneath which no keys may be.
    ///   - creates: whether the directory is created if it is missing.
    /// - Throws: `key.unsafe` if other users may read the directory, or if it is served; `file.unusable` if it is missing
    ///   and not to be created.
    public init(path: String, publicPath: String, creates: Bool = true) throws {
        self.path = path
        try Self.checkPlace(path, publicPath)
        directory = try creates ? Directory.create(path, mode: 0o700) : Self.open(path)
        // Again, because only an existing path shows where its links and its '..' lead.
        try Self.checkPlace(path, publicPath)
        let permissions = try directory.status().permissions
        guard permissions & 0o077 == 0 else {
            throw StoreError(
                .keyFileReadable,
                ["path": .path(path), "permissions": String(permissions, radix: 8), "expected": "700"])
        }
    }

    private static func open(_ path: String) throws(StoreError) -> Directory {
        do {
            return try Directory.open(path)
        } catch  where error.code == .fileMissing {
            throw StoreError(.keyDirectoryMissing, ["path": .path(path)])
        }
    }

    /// Checks that a directory is not beneath the one that is served; neither need exist yet.
    private static func checkPlace(_ path: String, _ publicPath: String) throws(StoreError) {
        let served = FilePaths.resolvedAsFarAsExisting(publicPath)
        guard !(FilePaths.resolvedAsFarAsExisting(path) + "/").hasPrefix(served + "/") else {
            throw StoreError(.keyDirectoryPublic, ["path": .path(path), "public": .path(publicPath)])
        }
    }

    private static func name(of key: PublicKey) -> String { key.identifier + ".json" }

    /// Returns the path of a key's file, for messages.
    func path(of key: PublicKey) -> String { "\(path)/\(Self.name(of: key))" }

    /// Encrypts a private key and writes it to the directory.
    func add(_ key: PrivateKey, passphrase: String, derived: DerivedKeys) throws {
        let file = try EncryptedKey(key, passphrase: passphrase, derived: derived)
        try directory.replace(Self.name(of: key.publicKey), with: file.fileContent, mode: 0o600)
    }

    /// Returns the encrypted private key of a public key; `nil` if the directory does not have it.
    ///
    /// - Throws: `key.unsafe`, `key.damaged`.
    func key(of publicKey: PublicKey) throws -> EncryptedKey? {
        let name = Self.name(of: publicKey)
        guard try directory.status(of: name) != nil else { return nil }
        let key = try KeyFile.read(path: path(of: publicKey))
        guard key.publicKey == publicKey else {
            throw StoreError(
                .keyFileInvalid, ["path": .path(path(of: publicKey)), "reason": "it is the file of another key"])
        }
        return key
    }
}

/// A namespace for the functions that read and write the file of one private key.
public enum KeyFile {
    /// Reads the file of an encrypted private key.
    ///
    /// - Throws: `file.unusable` if there is no such file; `key.unsafe` if other users may read it; `key.damaged`; `file.…`.
    public static func read(path: String) throws -> EncryptedKey {
        let file = try OpenFile.open(argument: path)
        let status = try file.status()
        guard status.kind == .file else {
            throw StoreError(.keyFileInvalid, ["path": .path(path), "reason": "it is not a file"])
        }
        let permissions = status.permissions
        guard permissions & 0o077 == 0 else {
            throw StoreError(
                .keyFileReadable,
                ["path": .path(path), "permissions": String(permissions, radix: 8), "expected": "600"])
        }
        return try EncryptedKey(parsing: try file.readAll(limit: 1 << 16), path: path)
    }

    /// Generates a private key, and writes it to a new file.
    ///
    /// - Returns: the public key.
    /// - Throws: `key.exists` if the file exists.
    public static func create(
        path: String, passphrase: String, derived: DerivedKeys = DerivedKeys()
    ) throws -> PublicKey {
        let (directory, name) = try Directory.ofOutput(path)
        let key = PrivateKey()
        let content = try EncryptedKey(key, passphrase: passphrase, derived: derived).fileContent
        // Under its final name at once, which only one of two calls can create: the other one's private key would be lost.
        let file = try create(name, at: path, in: directory)
        do {
            try file.write(content)
            try file.sync()
            try directory.sync()
        } catch {
            try? directory.remove(name)
            throw error
        }
        return key.publicKey
    }

    private static func create(_ name: String, at path: String, in directory: Directory) throws(StoreError) -> OpenFile
    {
        do {
            return try directory.createFile(name, mode: 0o600)
        } catch  where error.errno == .fileExists {
            throw StoreError(.keyFileExists, ["path": .path(path)])
        }
    }
}
