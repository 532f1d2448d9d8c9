import Foundation
import StoreTestSupport

/// The Swift source files of the package, for tests that check rules on them.
enum SourceFiles {
    /// Returns the files that declare error codes or templates of a module: its own, and
    /// `StoreModel/Errors/Errors+MODULE.swift`.
    static func declaringErrors(of module: String) -> [String] {
        paths(in: module).filter { path in
            guard path.contains("/StoreModel/Errors/Errors+") else { return true }
            return path.hasSuffix("/Errors+\(module).swift")
        } + (module == "StoreModel" ? [] : paths(in: "StoreModel").filter { $0.hasSuffix("/Errors+\(module).swift") })
    }

    /// Returns all Swift files of a module.
    static func paths(in module: String) -> [String] {
        let directory = DocumentedErrorCodes.sources.appending(path: module).path
        let names = FileManager.default.subpaths(atPath: directory) ?? []
        return names.filter { $0.hasSuffix(".swift") }.map { directory + "/" + $0 }
    }

    /// All Swift files of the package.
    static var all: [String] { DocumentedErrorCodes.modules.flatMap(paths) }

    /// Returns the text of a file without comment lines.
    static func code(at path: String) -> String {
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }
}
