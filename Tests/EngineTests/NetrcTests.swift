import Testing

@testable import StoreEngine

@Suite struct NetrcTests {
    private static let text =
        """
        # machine commented.example login no password no
        machine one.example login ana password "a \\"b\\" c"
        machine Two.example
          login bob
          account none
          password p#1
        macdef init
        machine three.example login no password no

        machine four.example login dora password
        """

    @Test(arguments: ["\n", "\r\n"]) func `hosts are found in files with any line breaks`(end: String) {
        let netrc = Netrc(Self.text.replacing("\n", with: end))
        #expect(netrc.login(for: "ONE.example") == Netrc.Login(user: "ana", password: "a \"b\" c"))
        #expect(netrc.login(for: "two.example") == Netrc.Login(user: "bob", password: "p#1"))
        #expect(netrc.login(for: "four.example") == Netrc.Login(user: "dora", password: ""))
        for host in ["commented.example", "three.example", "example", ""] { #expect(netrc.login(for: host) == nil) }
    }

    @Test func `the default entry is for all other hosts`() {
        let netrc = Netrc("machine a login x password y default login anonymous password me")
        #expect(netrc.login(for: "a")?.user == "x")
        #expect(netrc.login(for: "b")?.user == "anonymous")
        #expect(Netrc("login x password y machine").login(for: "a") == nil)
    }
}
