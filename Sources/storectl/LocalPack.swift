import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal

/// A pack that is named by a file and not by its identifier.
enum LocalPack {
    /// The absolute path of the file that `name` means, or `nil` where it means a product: a file is what holds a `/`
    /// or ends in `.zip`, and is there.
    static func path(of name: String) -> String? {
        guard name.contains("/") || name.lowercased().hasSuffix(".zip") else { return nil }
        return FilePaths.isRegularFile(name) ? FilePaths.resolved(name) : nil
    }

    /// What to say of a name that looks like a file's, and is neither there nor a product: an identifier may be anything,
    /// so that the stores were asked first.
    static func naming(_ name: String, _ error: ErrorReport) -> ErrorReport {
        let isPath = ["/", "./", "../"].contains { name.hasPrefix($0) } || name.lowercased().hasSuffix(".zip")
        guard isPath, error.code.word == "product.unknown" else { return error }
        return ErrorReport(
            code: .fileUnusable,
            message: "There is no file '\(name)' to install, and no product of that name. Check the path.")
    }

    /// Asks whether to install an unsigned file.
    ///
    /// - Throws: `file.unsigned` where there is nobody to ask.
    static func mayInstall(_ name: String, _ console: Console) async throws -> Bool {
        guard let answer = try await console.ask("Nothing says who made '\(name)'. Install it all the same?") else {
            throw ErrorReport(
                code: .fileUnsigned,
                message:
                    "Nothing says who made '\(name)', and there is no terminal to ask at. "
                    + "If you trust it, add --unsigned."
            )
        }
        return answer
    }
}

extension ErrorCode {
    /// A file is to be installed that is none.
    static let fileUnusable = ErrorCode("file.unusable", .notFound)
    /// An unsigned file is to be installed, and the user did not confirm it.
    static let fileUnsigned = ErrorCode("file.unsigned", .refused)
}
