import Testing

@testable import StoreServer

@Suite struct AcceptedLanguagesTests {
    @Test func theMostWantedComesFirst() {
        #expect(AcceptedLanguages.read("en;q=0.5, pt-BR, de;q=0.8") == ["pt-BR", "de", "en"])
    }

    @Test func equalsStayInTheirOrder() {
        #expect(AcceptedLanguages.read("fr, de, pt;q=1, en") == ["fr", "de", "pt", "en"])
    }

    @Test func whatIsUnwantedOrUnreadableIsLeftOut() {
        #expect(AcceptedLanguages.read("*, de;q=0, en;q=x, ;;, ,fr") == ["fr"])
        #expect(AcceptedLanguages.read("").isEmpty)
    }
}
