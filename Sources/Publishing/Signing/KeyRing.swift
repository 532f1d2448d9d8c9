import FoundationEssentials
import StoreModel
import StoreSystem
public import StoreTrust

/// The private keys that a publisher's command can use: those of a directory, of single files, and of an agent.
///
/// Key files are decrypted when they are needed. The agent is a shell command that signs with a key that it keeps itself,
/// such as in a hardware token: it gets the bytes to sign on its standard input and the key in the environment variables
/// `STOREHOUSE_KEY` (the identifier) and `STOREHOUSE_PUBLIC_KEY` (hexadecimal digits), and prints the 64 bytes of the
/// Ed25519 signature in hexadecimal digits. It prints nothing for a key that it does not have.
public struct KeyRing: Sendable {
    /// The type of a function that returns the passphrase of the key file with a path.
    public typealias Passphrase = @Sendable (_ path: String) throws -> String

    /// The directory of the key files; `nil` if there is none.
    public let directory: KeyDirectory?
    private let files: [String]
    private let agent: String?
    private let passphrase: Passphrase
    private let newPassphrase: Passphrase
    private let derived: DerivedKeys

    /// Creates a ring of the keys that can be used.
    ///
    /// - Parameters:
    ///   - directory: the directory of the key files.
    ///   - files: the paths of further key files.
    ///   - agent: a shell command that signs.
    ///   - passphrase: returns the passphrase of a key file.
    ///   - newPassphrase: returns the passphrase for new keys in a directory; `nil` for the same function.
    ///   - derived: the keys that were derived from passphrases, which determine the cost of new ones.
    public init(
        directory: KeyDirectory? = nil, files: [String] = [], agent: String? = nil,
        passphrase: @escaping Passphrase = { path in throw StoreError(.keyPassphraseMissing, ["path": .path(path)]) },
        newPassphrase: Passphrase? = nil, derived: DerivedKeys = DerivedKeys()
    ) {
        self.directory = directory
        self.files = files
        self.agent = agent
        self.passphrase = passphrase
        self.newPassphrase = newPassphrase ?? passphrase
        self.derived = derived
    }

    /// Generates a private key in the directory, and returns it.
    func makeKey() throws -> PrivateKey {
        let key = PrivateKey()
        guard let directory else { preconditionFailure("keys are made only in a directory") }
        try directory.add(key, passphrase: newPassphrase(directory.path), derived: derived)
        return key
    }

    /// Adds signatures of a role's keys to a document until as many have signed as have to.
    ///
    /// - Returns: the number of the role's keys that have signed.
    /// - Throws: why a key could not be used, if signatures are missing because of that.
    @discardableResult
    func sign(_ document: inout MetadataDocument, by role: RoleKeys, of keys: [String: PublicKey]) throws -> Int {
        var failure: (any Error)?
        for identifier in role.keyIDs {
            guard document.signatureCount(by: role, of: keys) < role.threshold else { break }
            guard let key = keys[identifier], !document.isSigned(by: key) else { continue }
            do { try sign(&document, by: key) } catch { failure = failure ?? error }
        }
        let count = document.signatureCount(by: role, of: keys)
        if let failure, count < role.threshold { throw failure }
        return count
    }

    /// Adds the signature of a key to a document, if the key can be used.
    func sign(_ document: inout MetadataDocument, by key: PublicKey) throws {
        if let directory, let file = try directory.key(of: key) {
            return try sign(&document, with: file, path: directory.path(of: key))
        }
        for path in files {
            let file = try KeyFile.read(path: path)
            if file.publicKey == key { return try sign(&document, with: file, path: path) }
        }
        if let agent { try sign(&document, by: key, agent: agent) }
    }

    private func sign(_ document: inout MetadataDocument, with file: EncryptedKey, path: String) throws {
        try document.sign(by: file.decrypted(passphrase: passphrase(path), path: path, derived: derived))
    }

    private func sign(_ document: inout MetadataDocument, by key: PublicKey, agent: String) throws {
        func failed(_ reason: String) -> StoreError {
            StoreError(.keyAgentFailed, ["key": key.identifier, "reason": .untrusted(reason)])
        }
        let result: (exitCode: Int32, output: [UInt8])
        do {
            result = try ShellCommand.output(
                of: agent, input: document.signedBytes,
                variables: ["STOREHOUSE_KEY": key.identifier, "STOREHOUSE_PUBLIC_KEY": key.value])
        } catch {
            throw failed(error.reason)
        }
        guard result.exitCode == 0 else { throw failed("it ended with exit code \(result.exitCode)") }
        let text = String(decoding: result.output, as: UTF8.self).filter { !$0.isWhitespace }
        guard !text.isEmpty else { return }
        guard let signature = Hexadecimal.bytes(text), document.add(signature: signature, of: key) else {
            throw failed("what it printed is no valid signature")
        }
    }
}
