import Testing

@testable import StoreServer

@Suite struct AcceptedLanguagesTests {
    @Test func `the most preferred language comes first`() {
        #expect(AcceptedLanguages.parse("en;q=0.5, pt-BR, de;q=0.8") == ["pt-BR", "de", "en"])
    }

    @Test func `languages of equal quality keep their order`() {
        #expect(AcceptedLanguages.parse("fr, de, pt;q=1, en") == ["fr", "de", "pt", "en"])
    }

    @Test func `unwanted and malformed languages are left out`() {
        #expect(AcceptedLanguages.parse("*, de;q=0, en;q=x, ;;, ,fr") == ["fr"])
        #expect(AcceptedLanguages.parse("").isEmpty)
    }
}
