import StoreTrust
import Testing

/// The public keys of metadata (section 4.2.2 of the specification).
@Suite struct PublicKeyTests {
    private static let rsa1024 = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCfKQOOftku0l5h7eZhLWsxz4Bk
        LOpt/mZ/PkZcRRHfRl2WEOiwPoFo9+ptXIqgkgyN1WjDVyUvhEfG/NgjI2WfEFCW
        WsnpZ22LW8gOj7uKDXDk3GxCwceYxOlToio7WqAv3NmITeh9/8Cf7+lKvs0Nkz6p
        Y2uegarq9i0XIX1FCwIDAQAB
        -----END PUBLIC KEY-----
        """
    private static let p384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEXVRHzb16yrfIChc77Rj4I9vbbG62AbsS
        x/K5nrkrduv6EUXSBzEFQewUNF02Ry6MY8Cs5mIakMiao9bsqYDF16BkmApy1+rA
        TSV8CC4cp9onPQe1FBY3e97MN1ol8OGf
        -----END PUBLIC KEY-----
        """

    @Test func `an RSA key of less than 2,048 bits can't be used`() {
        #expect(!PublicKey(type: "rsa", scheme: "rsassa-pss-sha256", value: Self.rsa1024).isUsable)
    }

    @Test func `a key on another curve than P-256 can't be used`() {
        #expect(!PublicKey(type: "ecdsa", scheme: "ecdsa-sha2-nistp256", value: Self.p384).isUsable)
    }

    @Test(arguments: [
        ("ed25519", "ed25519", true), ("ed25519", "ecdsa-sha2-nistp256", false), ("rsa", "ed25519", false),
        ("ED25519", "ed25519", false), ("ed25519", "", false),
    ])
    func `a key is used only with a scheme of its kind`(type: String, scheme: String, isUsable: Bool) {
        // The key of an example in the specification.
        let value = "72378e5bc588793e58f81c8533da64a2e8f1565c1fcc7f253496394ffc52542c"
        #expect(PublicKey(type: type, scheme: scheme, value: value).isUsable == isUsable)
    }

    @Test func `one key that is written in two ways is one key`() {
        let lower = "72378e5bc588793e58f81c8533da64a2e8f1565c1fcc7f253496394ffc52542c"
        let keys = [lower, lower.uppercased()].map { PublicKey(type: "ed25519", scheme: "ed25519", value: $0) }
        #expect(Set(keys).count == 1)
        #expect(keys[0] != PublicKey(type: "ed25519", scheme: "ed25519", value: "00" + lower.dropFirst(2)))
    }
}
