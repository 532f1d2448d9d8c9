import Testing

@testable import StoreTerminal

@Suite struct UsageMessageTests {
    @Test(arguments: [
        ("Error: Unknown option '--jsn'. Did you mean '--json'?", "unknown option '--jsn'. Did you mean '--json'?"),
        ("Error: Unknown option '--json'. Did you mean '--sign'?", "unknown option '--json'"),
        ("Error: Unknown option '--all'.", "unknown option '--all'"),
        ("Missing expected argument '<id>'.", "missing expected argument '<id>'"),
    ])
    func `a message of the parser names a similar option, and no other`(message: String, text: String) {
        #expect(UsageMessage.text(message) == text)
    }
}
