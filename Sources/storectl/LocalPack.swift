import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal

/// A namespace of functions for packs that the command line names by a file instead of a product identifier.
enum LocalPack {
    /// Returns the absolute path of the file that `name` denotes; `nil` if `name` denotes a product.
    ///
    /// It denotes a file if the file exists and `name` contains a `/` or ends in `.zip`.
    static func path(of name: String) -> String? {
        guard name.contains("/") || name.lowercased().hasSuffix(".zip") else { return nil }
        return FilePaths.isRegularFile(name) ? FilePaths.resolved(name) : nil
    }

    /// Returns whether a name looks like that of a file rather than like a product identifier.
    static func isPath(_ name: String) -> Bool {
        ["/", "./", "../"].contains { name.hasPrefix($0) } || name.lowercased().hasSuffix(".zip")
    }

    /// Returns a clearer error for an unknown product whose name looks like a file name.
    ///
    /// The stores are searched first, because a product identifier may be any text.
    static func clarify(_ name: String, _ error: ErrorReport) -> ErrorReport {
        guard error.code == .productUnknown else { return error }
        if isPath(name) || name.contains("/"), FilePaths.isDirectory(name) {
            return ErrorReport(StoreError(.localFileIsDirectory, ["name": .untrusted(name)]))
        }
        guard isPath(name) else { return error }
        guard FilePaths.isMissing(name) else {
            return ErrorReport(StoreError(.localFileIrregular, ["name": .untrusted(name)]))
        }
        return ErrorReport(StoreError(.localFileMissing, ["name": .untrusted(name)]))
    }

    /// Asks the user at the terminal whether to install an unsigned file.
    ///
    /// - Throws: `file.unsigned` if there is no terminal on which to ask.
    static func mayInstall(_ name: String, _ console: Console) async throws -> Bool {
        guard
            let answer = try await console.ask(
                console.messages.text(
                    "'{name}' is not signed, so its publisher is unknown. Install it anyway?", ["name": name]))
        else {
            throw StoreError(.localFileUnsigned, ["name": .untrusted(name)])
        }
        return answer
    }
}
