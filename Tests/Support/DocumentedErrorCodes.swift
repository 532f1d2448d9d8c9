public import Foundation

/// The error codes that the documentation pages of the modules list.
public enum DocumentedErrorCodes {
    /// The directory of all modules.
    public static let sources: URL = {
        // Tests/Support/DocumentedErrorCodes.swift
        (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.appending(
            path: "Sources")
    }()

    public static let modules: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        return names.sorted()
    }()

    /// Returns the error codes on a module's page with their exit statuses; `nil` if the module has no page.
    public static func of(_ module: String) -> [String: Int32?]? {
        let path = sources.appending(path: "\(module)/\(module).docc/\(module).md").path
        return FileManager.default.contents(atPath: path).map { read(String(decoding: $0, as: UTF8.self)) }
    }

    /// The error codes of all pages, with their exit statuses.
    public static var all: [String: Int32?] {
        modules.compactMap { of($0) }.reduce(into: [:]) { all, words in all.merge(words) { $0 ?? $1 } }
    }

    /// Parses the tables whose first column contains error codes; the exit status is `nil` if the row has none.
    public static func read(_ page: String) -> [String: Int32?] {
        var documented: [String: Int32?] = [:]
        var columns: [String]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard let known = columns else {
                columns = cells
                continue
            }
            guard known.first == "word" || known.first == "code" else { continue }
            let exitCode = known.firstIndex(of: "exit").flatMap { $0 < cells.count ? Int32(cells[$0]) : nil }
            for word in (cells.first ?? "").matches(of: /`([a-z]+\.[A-Za-z0-9-]+)`/) {
                documented.updateValue(exitCode, forKey: String(word.1))
            }
        }
        return documented
    }
}
