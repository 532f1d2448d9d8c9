import Foundation
import StoreModel
import Testing

/// Others build on the words, so each module's page lists all that its code has, and no others.
@Suite("Error words")
struct ErrorWordsTests {
    private static let sources: URL = {
        // Tests/StoreModelTests/ErrorWordsTests.swift
        (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.appending(
            path: "Sources")
    }()

    private static let modules: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        return names.sorted()
    }()

    @Test("stand on their module's page, with the exit code, and no others do", arguments: modules)
    func documented(module: String) throws {
        let declared = try Self.declared(in: module)
        let path = Self.sources.appending(path: "\(module)/\(module).docc/\(module).md").path
        guard let page = FileManager.default.contents(atPath: path) else {
            #expect(declared.isEmpty, "\(module) has words and no page")
            return
        }
        let documented = Self.documented(in: String(decoding: page, as: UTF8.self))
        #expect(Set(documented.keys) == Set(declared.keys))
        for (word, exitCode) in documented {
            if let exitCode { #expect(declared[word] == exitCode, "\(word)") }
        }
    }

    @Test("are found by this test")
    func found() throws {
        #expect(Self.modules.count > 20)
        #expect(try Self.declared(in: "Archives").count > 35)
        #expect(try Self.declared(in: "StoreModel")["home.unknown"] == 8)
        #expect(
            Self.documented(in: "| `a.b` | 1 |\n\n| word | exit |\n|---|---|\n| `c.d`, `e.f` | 3 |") == [
                "c.d": 3, "e.f": 3,
            ])
    }

    /// Every word that the code of a module has, and its exit code.
    private static func declared(in module: String) throws -> [String: Int32] {
        let codes = Dictionary(uniqueKeysWithValues: ExitCode.allCases.map { ("\($0)", $0.rawValue) })
        let folder = sources.appending(path: module).path
        var declared: [String: Int32] = [:]
        for file in FileManager.default.subpaths(atPath: folder) ?? [] where file.hasSuffix(".swift") {
            let code = String(
                decoding: FileManager.default.contents(atPath: folder + "/" + file) ?? Data(), as: UTF8.self)
            for declaration in code.matches(of: /(?:ErrorCode|\.init)\(\s*"([a-z]+\.[a-z0-9-]+)",\s*\.(\w+)\)/) {
                declared[String(declaration.1)] = codes[String(declaration.2)]
            }
        }
        return declared
    }

    /// The words of the tables whose first column has words or codes; the exit code is `nil` where the row tells none.
    private static func documented(in page: String) -> [String: Int32?] {
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
            for word in (cells.first ?? "").matches(of: /`([a-z]+\.[a-z0-9-]+)`/) {
                documented.updateValue(exitCode, forKey: String(word.1))
            }
        }
        return documented
    }
}
