public import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
import StoreSystem
public import StoreTrust
import Synchronization

/// The options of all commands that sign: where the private keys are, and how they are decrypted.
struct SigningOptions: ParsableArguments {
    @Option(
        name: .customLong("keys"),
        help: ArgumentHelp("Directory of the private keys; 'keys' in the store by default", valueName: "keydir"),
        completion: .directory)
    var keyDirectory: String?
    @OptionGroup var passphrase: PassphraseOptions
    @Option(
        help: ArgumentHelp(
            "Shell command that signs with keys of its own: it gets the bytes on standard input, the key in "
                + "STOREHOUSE_KEY and STOREHOUSE_PUBLIC_KEY, and prints the signature in hexadecimal digits",
            valueName: "command"))
    var agent: String?

    /// Returns the path of the directory of a store's private keys.
    func keyPath(ofDirectory store: String) -> String { keyDirectory ?? store + "/keys" }

    /// Returns the keys that the command can use for a store.
    ///
    /// - Parameter makesKeys: whether the command generates keys; else the directory is not created.
    /// - Throws: `file.unusable` if the option names a directory that does not exist; the default one may be missing.
    func ring(of store: Storehouse, makesKeys: Bool = false) throws -> KeyRing {
        try ring(ofDirectory: store.path, makesKeys: makesKeys, passphrase.source)
    }

    /// Returns the keys that the command can use for the directory of a store, which need not exist yet.
    ///
    /// - Parameter source: the place that passphrases are read from.
    func ring(ofDirectory store: String, makesKeys: Bool, _ source: PassphraseSource) throws -> KeyRing {
        let path = keyPath(ofDirectory: store)
        let exists = (try? Directory.open(path)) != nil
        let directory =
            makesKeys || exists || keyDirectory != nil
            ? try KeyDirectory(path: path, publicPath: store + "/public", creates: makesKeys) : nil
        return KeyRing(
            directory: directory, agent: agent, passphrase: { try source.passphrase(of: $0) },
            newPassphrase: { try source.newPassphrase(of: $0) })
    }
}

/// The option that says where the passphrase of keys is.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with the passphrase of the keys; else STOREHOUSE_PASSPHRASE, else the terminal is asked",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    /// The place that the passphrase is read from.
    var source: PassphraseSource { PassphraseSource(file: passphraseFile) }
}

/// Reads the passphrase of keys from a file, from the environment, or from the terminal.
final class PassphraseSource: Sendable {
    private let file: String?
    /// The passphrases that were typed, by directory of the keys: those of one store are asked for once.
    private let typed = Mutex<[String: String]>([:])
    /// The passphrase that was read from the file, which may be a pipe; `nil` until the first key needs it.
    private let passphraseInFile = Mutex<String?>(nil)

    init(file: String?) { self.file = file }

    /// Returns the passphrase of a key file.
    ///
    /// - Throws: `key.no-passphrase`.
    func passphrase(of path: String) throws -> String {
        let directory = FilePaths.split(path).directory
        if let known = try given(for: path) ?? typed.withLock({ $0[directory] }) { return known }
        let answer = try ask("Passphrase for \(path.displayable): ", path)
        typed.withLock { $0[directory] = answer }
        return answer
    }

    /// Returns the passphrase for new keys, for which a terminal is asked twice.
    ///
    /// - Throws: `key.no-passphrase`, also for one that is too short. Existing keys may have a shorter one.
    func newPassphrase(of path: String) throws -> String {
        if let known = try given(for: path) ?? typed.withLock({ $0[path] }) {
            try requireLength(of: known, path)
            return known
        }
        let answer = try ask("New passphrase for the keys in \(path.displayable): ", path)
        try requireLength(of: answer, path)
        guard try ask("The same passphrase again: ", path) == answer else {
            throw StoreError(.keyPassphrasesDiffer, ["path": .path(path)])
        }
        typed.withLock { $0[path] = answer }
        return answer
    }

    /// The minimum number of characters of a new passphrase.
    private static let minimumLength = 8

    private func requireLength(of passphrase: String, _ path: String) throws {
        guard passphrase.count < Self.minimumLength else { return }
        throw StoreError(.keyPassphraseShort, ["path": .path(path), "minimum": Self.minimumLength])
    }

    private func given(for path: String) throws -> String? {
        let text: String?
        if let file {
            text = try passphraseInFile.withLock { known in
                let passphrase = try known ?? Self.passphrase(inFile: file)
                known = passphrase
                return passphrase
            }
        } else {
            text = ProcessInfo.processInfo.environment["STOREHOUSE_PASSPHRASE"]
        }
        guard text != "" else { throw StoreError(.keyPassphraseEmpty, ["path": .path(path)]) }
        return text
    }

    /// Returns the content of a file without the end of its last line, which editors write as `\n` or `\r\n`.
    private static func passphrase(inFile file: String) throws -> String {
        // As bytes, because `\r\n` is one Character, and bytes that are no UTF-8 would all be read as the same one.
        var content = try OpenFile.read(argument: file, limit: 1 << 16)
        if content.last == UInt8(ascii: "\n") {
            content.removeLast()
            if content.last == UInt8(ascii: "\r") { content.removeLast() }
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw StoreError(.keyPassphraseFileInvalid, ["path": .path(file)])
        }
        return text
    }

    private func ask(_ prompt: String, _ path: String) throws -> String {
        guard let answer = PassphrasePrompt.ask(prompt) else {
            throw StoreError(.keyPassphraseMissing, ["path": .path(path)])
        }
        guard !answer.isEmpty else { throw StoreError(.keyPassphraseEmpty, ["path": .path(path)]) }
        return answer
    }
}

extension TopLevelRole: ExpressibleByArgument {}

extension Storehouse {
    /// Prints what a change of keys has led to.
    func report(_ change: RootChange) {
        guard let missing = change.missing else {
            Output.console.line("Signed root.json version \(change.version); publish to make it visible to clients.")
            return
        }
        Output.console.line(
            "root.json version \(change.version) has \(missing.found) of \(missing.threshold) signatures.")
        Output.console.hint("get the others with 'storehouse sign request \(path) --output FILE'")
    }
}

extension [Storehouse.SignedFile] {
    /// The metadata files as a list for a message, such as `snapshot.json version 2 and timestamp.json version 3`.
    var text: String {
        let names = map(\.description)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
