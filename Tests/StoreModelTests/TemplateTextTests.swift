import Testing

@testable import StoreModel

/// Tests how the values of a text's placeholders are found in the finished text.
@Suite struct TemplateTextTests {
    private func values(_ template: String, _ finished: String) -> [String: String]? {
        TemplateText(template).values(in: finished)
    }

    @Test func `the values are the parts between the text of the template`() {
        #expect(values("'{a}' needs '{b}'", "'cups' needs 'mugs'") == ["a": "cups", "b": "mugs"])
        #expect(values("{a}: {b}", "x: y: z") == ["a": "x", "b": "y: z"])
        #expect(values("no {a}", "no ") == ["a": ""])
        #expect(values("plain", "plain") == [:])
        #expect(values("{a} → {b} ({c})", "1 → 2 (3)") == ["a": "1", "b": "2", "c": "3"])
        // Braces that are no placeholder are text.
        #expect(values("{\"x\":{a}}", "{\"x\":1}") == ["a": "1"])
    }

    @Test func `a text that the template does not make has no values`() {
        for finished in ["'cups' needs mugs'", "x'cups' needs 'mugs'", "'cups' needs 'mugs' now", "", "'"] {
            #expect(values("'{a}' needs '{b}'", finished) == nil, "\(finished)")
        }
        #expect(values("{a} and {a}", "x and y") == nil && values("{a} and {a}", "x and x") == ["a": "x"])
        #expect(values("{a}{b}", "xy") == nil)
        #expect(values("plain", "plainly") == nil && values("plain", "a plain") == nil)
    }

    @Test func `only letters outside of placeholders are counted`() {
        #expect(TemplateText("'{path}': {cause}").letterCount == 0)
        #expect(TemplateText("no '{path}' in été").letterCount == 7)
    }
}
