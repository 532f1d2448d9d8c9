import StoreSystem
import Testing

@Suite struct InternetAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.255",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1", "192.168.255.255",
        "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "127.1", "2130706433", "0x7f000001", "0177.0.0.1",
        "::", "::1", "[::1]", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::192.168.0.1",
        "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:c0a8:1::1", "3fff::1",
        "fc00::1",
        "fd12:3456::1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1",
    ])
    func `an address of this machine, of its networks or of a reserved range is not public`(text: String) throws {
        #expect(try !#require(InternetAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        "2001:4860:4860::8888",
        "2600::1", "3ffe::1",
    ])
    func `other addresses are public`(text: String) throws {
        #expect(try #require(InternetAddress(text)).isPublic)
    }

    @Test(arguments: ["", "localhost", "store.example", "1.2.3.4.5", "256.0.0.1", "::1::", "[::1", "10.0.0.1.example"])
    func `a name is not an address`(text: String) { #expect(InternetAddress(text) == nil) }

    @Test func `an address is written without its port`() throws {
        #expect(try #require(InternetAddress("127.1", port: 80)).description == "127.0.0.1")
        #expect(try #require(InternetAddress("[FE80:0::1]", port: 80)).description == "fe80::1")
        #expect(InternetAddress("10.0.0.1", port: 80) != InternetAddress("10.0.0.1", port: 81))
    }

    @Test func `a name of this machine is resolved`() throws {
        let addresses = InternetAddress.resolve("localhost", port: 8080)
        #expect(!addresses.isEmpty && addresses.allSatisfy { !$0.isPublic && $0.port == 8080 })
        #expect(InternetAddress.resolve("127.0.0.1", port: 1) == [InternetAddress("127.0.0.1", port: 1)])
    }
}
