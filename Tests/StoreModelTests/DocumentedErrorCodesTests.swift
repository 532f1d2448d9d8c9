import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Checks that the page of each module lists its error codes, which other programs rely on.
@Suite struct DocumentedErrorCodesTests {
    @Test(arguments: DocumentedErrorCodes.modules)
    func `a module's page lists exactly its error codes`(module: String) throws {
        let declared = try Self.declared(in: module)
        guard let documented = DocumentedErrorCodes.of(module) else {
            #expect(declared.isEmpty, "\(module) has error codes but no page")
            return
        }
        #expect(Set(documented.keys) == Set(declared.keys))
        for (code, exitCode) in documented {
            if let exitCode { #expect(declared[code] == exitCode, "\(code)") }
        }
    }

    @Test
    func `the codes of modules and pages are found`() throws {
        #expect(DocumentedErrorCodes.modules.count > 20)
        #expect(try Self.declared(in: "Archives").count > 35)
        #expect(try Self.declared(in: "StoreModel")["home.unknown"] == 8)
        #expect(
            DocumentedErrorCodes.read("| `a.b` | 1 |\n\n| word | exit |\n|---|---|\n| `c.d`, `e.f` | 3 |") == [
                "c.d": 3, "e.f": 3,
            ])
    }

    /// Returns the error codes that a module declares, with their exit statuses.
    private static func declared(in module: String) throws -> [String: Int32] {
        let codes = Dictionary(uniqueKeysWithValues: ExitCode.allCases.map { ("\($0)", $0.rawValue) })
        var declared: [String: Int32] = [:]
        for path in SourceFiles.declaringErrors(of: module) {
            let code = SourceFiles.code(at: path)
            for declaration in code.matches(of: /ErrorCode\(\s*"([a-z]+\.[A-Za-z0-9-]+)",\s*\.(\w+)\)/) {
                declared[String(declaration.1)] = codes[String(declaration.2)]
            }
        }
        return declared
    }
}
