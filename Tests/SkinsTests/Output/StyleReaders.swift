import Foundation
import StoreTestSupport

/// Independent parsers of style sheets, which run in Debian's Python.
enum StyleReaders {
    private static let python = "/usr/bin/python3"

    /// A script with tinycss2, an implementation of CSS Syntax Module Level 3, that prints the content of a style
    /// sheet.
    private static let tinycss = """
        import json, sys, tinycss2
        def value(tokens):
            return [[t.type, getattr(t, "value", None) if isinstance(getattr(t, "value", None), str) else ""]
                    for t in tokens if t.type not in ("whitespace", "comment")]
        out = {"errors": [], "properties": {}, "selectors": []}
        for rule in tinycss2.parse_stylesheet(open(sys.argv[1], encoding="utf-8", newline="").read(), True, True):
            if rule.type != "qualified-rule":
                out["errors"].append(rule.type + " " + getattr(rule, "message", ""))
                continue
            named = [p for p in rule.prelude if p.type in ("[] block", "hash")]
            if named:
                first = named[0]
                if first.type == "hash":
                    out["selectors"].append(first.value)
                else:
                    strings = [t.value for t in first.content if t.type == "string"]
                    if len(strings) != 1 or len(first.content) != 3:
                        out["errors"].append("selector " + tinycss2.serialize(rule.prelude))
                    out["selectors"] += strings
            elif tinycss2.serialize(rule.prelude).strip() != ":root":
                out["errors"].append("selector " + tinycss2.serialize(rule.prelude))
            for declaration in tinycss2.parse_declaration_list(rule.content, True, True):
                if declaration.type != "declaration" or declaration.important:
                    out["errors"].append(declaration.type)
                elif not named:
                    out["properties"][declaration.name] = value(declaration.value)
                elif any(t.type == "error" for t in declaration.value):
                    out["errors"].append("value of " + declaration.name)
        print(json.dumps(out))
        """

    struct Sheet: Decodable {
        let errors: [String]
        /// The properties by name: each token of the value with its type.
        let properties: [String: [[String]]]
        /// The identifiers in the selectors, without escapes.
        let selectors: [String]
    }

    static func read(_ css: String) async throws -> Sheet {
        try JSONDecoder().decode(Sheet.self, from: try await run(tinycss, css))
    }

    /// A script with GTK's own parser that prints its errors and the names in selectors.
    private static let gtk = """
        import gi, json, sys
        gi.require_version("Gtk", sys.argv[2])
        from gi.repository import GLib, Gtk
        errors = []
        def noted(provider, section, error):
            errors.append(error.message)
        provider = Gtk.CssProvider()
        provider.connect("parsing-error", noted)
        css = open(sys.argv[1], "rb").read()
        try:
            provider.load_from_data(css)
        except GLib.Error as error:
            errors.append(error.message)
        print(json.dumps(errors))
        """

    /// Returns the errors of GTK's parser.
    ///
    /// - Parameter version: `3.0` or `4.0`.
    static func errorsOfGTK(_ version: String, _ css: String) async throws -> [String] {
        try JSONDecoder().decode([String].self, from: try await run(gtk, css, version))
    }

    /// Whether Debian's python3-gi and gir1.2-gtk-VERSION are installed.
    static func hasGTK(_ version: String) async -> Bool {
        let process = try? ChildProcess(
            python, ["-c", "import gi; gi.require_version('Gtk', '\(version)'); from gi.repository import Gtk"],
            environment: [:])
        return await process?.result() == 0
    }

    private static func run(_ script: String, _ css: String, _ arguments: String...) async throws -> Data {
        let folder = try TemporaryFolder()
        try folder.directory.put("sheet.css", css)
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        let process = try ChildProcess(
            python, ["-W", "ignore", "-c", script, folder.path + "/sheet.css"] + arguments,
            environment: ["PYTHONIOENCODING": "utf-8"], output: output, errors: errors)
        let code = await process.result()
        let said = FileManager.default.contents(atPath: output) ?? Data()
        guard code == 0 else {
            throw ReaderError(
                description: String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self))
        }
        return said
    }

    struct ReaderError: Error, CustomStringConvertible { let description: String }
}
