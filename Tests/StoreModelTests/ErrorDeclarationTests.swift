import Foundation
import StoreTestSupport
import Testing

/// Checks the declarations and uses of error codes and templates in the sources.
@Suite struct ErrorDeclarationTests {
    @Test func `no code is declared twice`() {
        var places: [String: [String]] = [:]
        for path in SourceFiles.all {
            for match in SourceFiles.code(at: path).matches(of: /ErrorCode\(\s*"([a-z]+\.[A-Za-z0-9-]+)"/) {
                places[String(match.1), default: []].append(Self.name(path))
            }
        }
        #expect(places.count > 150)
        #expect(places.filter { $0.value.count > 1 && !Self.declaredTwice.contains($0.key) }.isEmpty)
    }

    @Test func `no two templates have the same name or the same identifier`() {
        let templates = Self.templates
        #expect(templates.count >= 2)
        #expect(Dictionary(grouping: templates, by: \.name).filter { $0.value.count > 1 }.isEmpty)
        #expect(Dictionary(grouping: templates, by: \.identifier).filter { $0.value.count > 1 }.isEmpty)
    }

    @Test func `messages begin with a small letter and have no final period`() {
        for template in Self.templates {
            #expect(template.message.last != ".", "\(template.name): \(template.message)")
            let isCapitalized =
                template.message.first?.isUppercase == true
                && template.message.dropFirst().first?.isLowercase == true
            #expect(!isCapitalized, "\(template.name): \(template.message)")
            #expect(template.hint?.last != ".", "\(template.name): \(template.hint ?? "")")
        }
    }

    /// The modules whose errors `storehouse` prints.
    @Test(arguments: ["Library", "Emoji", "Skins", "Images", "XML", "Archives", "Publishing"])
    func `no hint for a publisher sends them to the publisher`(module: String) throws {
        let paths = SourceFiles.declaringErrors(of: module).filter { $0.contains("/StoreModel/Errors/") }
        #expect(paths.count == 1)
        for path in paths {
            let code = SourceFiles.code(at: path)
            #expect(code.contains("ErrorTemplate("))
            for hint in code.matches(of: /(?:hint|forPublisher):\s*"((?:[^"\\]|\\.)*)"/) {
                // The owner of a store with several publishers is sent to one of them.
                let sends = hint.1.contains(/(?i)\b(?:tell|ask|inform|contact) the publisher/)
                #expect(!sends, "\(Self.name(path)): \(hint.1)")
            }
        }
    }

    @Test func `the settings that hints and messages name exist`() {
        let declared = SourceFiles.paths(in: "Settings").flatMap { path in
            SourceFiles.code(at: path).matches(of: /"([a-z]+\.[a-zA-Z]+)"/)
                .map { String($0.1) }
        }
        var named = 0
        for path in SourceFiles.paths(in: "StoreModel") where path.contains("/Errors/Errors+") {
            let code = SourceFiles.code(at: path)
            let settings =
                code.matches(of: /config set ([a-z]+\.[A-Za-z]+)/).map { $0.1 }
                + code.matches(of: /raise\("([^"]+)"\)/).map { $0.1 }
            for setting in settings { #expect(declared.contains(String(setting)), "\(Self.name(path)): \(setting)") }
            named += settings.count
        }
        #expect(named >= 8)
    }

    @Test func `every placeholder of a template has an argument where the error is thrown`() {
        let templates = Dictionary(Self.templates.map { ($0.name, $0) }) { first, _ in first }
        var checked = 0
        for path in SourceFiles.all {
            let throwSite = /StoreError\(\s*\.(\w+)(?:\([^()]*\))?(?:,\s*\[([^\]]*)\])?/
            for use in SourceFiles.code(at: path).matches(of: throwSite) {
                guard let template = templates[String(use.1)] else {
                    Issue.record("\(Self.name(path)): no template '\(use.1)' in StoreModel/Errors")
                    continue
                }
                let given = (use.2 ?? "").matches(of: /"(\w+)":/).map { String($0.1) }
                let missing = template.placeholders.subtracting(given)
                #expect(missing.isEmpty, "\(Self.name(path)): .\(template.name) lacks \(missing.sorted())")
                checked += 1
            }
        }
        #expect(checked >= 2)
    }

    /// The declaration of a template in the sources.
    struct Template {
        let name: String
        let identifier: String
        let message: String
        let hint: String?
        var placeholders: Set<String> {
            let names = (message + (hint ?? "")).matches(of: /\{(\w+)\}/).map { String($0.1) }
            return Set(names).subtracting(["cause"])
        }
    }

    static var templates: [Template] {
        SourceFiles.paths(in: "StoreModel").filter { $0.contains("/Errors/Errors+") }.flatMap { path in
            Self.declarations(in: SourceFiles.code(at: path)).compactMap { Self.template($0) }
        }
    }

    /// Returns the declarations of a file; a function that returns a template counts as one.
    private static func declarations(in code: String) -> [Substring] {
        let function =
            /public static func (\w+)\([^)]*\) -> ErrorTemplate \{\s*ErrorTemplate\(\s*ErrorCode\(ErrorCode(\.\w+)\.rawValue, \w+\)/
        return code.replacing(function) { "public static let \($0.1) = ErrorTemplate(\($0.2)" }
            .split(separator: "\n    public static let ")
    }

    private static func template(_ declaration: Substring) -> Template? {
        guard
            let head = declaration.firstMatch(
                of: /^(\w+) = ErrorTemplate\(\s*(?:context: "(?<context>[\w-]+)"|\.(?<code>\w+))/),
            let texts = try? /(?s)^\w+ = ErrorTemplate\((.*)\)/.firstMatch(in: declaration)?.1
        else { return nil }
        let variant = texts.firstMatch(of: /variant: "([\w-]+)"/).map { String($0.1) }
        let parts = texts.split(separator: "hint:", maxSplits: 1)
        let code = head.code.map(String.init) ?? "context"
        return Template(
            name: String(head.1), identifier: code + "/" + (variant ?? head.context.map(String.init) ?? ""),
            message: literals(in: parts[0].replacing(/(?:variant|context): "[\w-]+",?/, with: "")),
            hint: parts.count > 1 ? literals(in: String(parts[1])) : nil)
    }

    /// Returns the string literals of an expression, joined as `+` joins them.
    private static func literals(in text: some StringProtocol) -> String {
        String(text).matches(of: /"((?:[^"\\]|\\.)*)"/).map { $0.1.replacing(#"\""#, with: #"""#) }.joined()
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// The one code with two exit statuses: an exiting daemon fails a command, and Ctrl-C interrupts it.
    private static let declaredTwice: Set = ["operation.interrupted"]
}
