// The special-purpose addresses of IANA's registries (RFC 6890):
// https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry

extension InternetAddress {
    /// Whether the address is one of the public internet: not loopback, link-local, private, multicast or reserved.
    ///
    /// An address of version 6 that contains one of version 4, such as `::ffff:10.0.0.1` or `64:ff9b::10.0.0.1`, is as
    /// public as that one.
    public var isPublic: Bool {
        if bytes.count == 4 { return !Self.reservedFour.contains { $0.contains(bytes) } }
        for (prefix, offset) in Self.embeddings where prefix.contains(bytes) {
            let inner = Array(bytes[offset..<offset + 4])
            return !Self.reservedFour.contains { $0.contains(inner) }
        }
        return Self.globalUnicast.contains(bytes) && !Self.reservedSix.contains { $0.contains(bytes) }
    }

    /// The addresses that begin with the same bits.
    private struct Prefix: Sendable {
        let bytes: [UInt8]
        let length: Int

        init(_ bytes: [UInt8], _ length: Int) { (self.bytes, self.length) = (bytes, length) }

        func contains(_ address: [UInt8]) -> Bool {
            for place in 0..<(length + 7) / 8 {
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - 8 * place))
                if (address[place] ^ (place < bytes.count ? bytes[place] : 0)) & mask != 0 { return false }
            }
            return true
        }
    }

    private static let reservedFour = [
        Prefix([0], 8), Prefix([10], 8), Prefix([100, 64], 10), Prefix([127], 8), Prefix([169, 254], 16),
        Prefix([172, 16], 12), Prefix([192, 0, 0], 24), Prefix([192, 0, 2], 24), Prefix([192, 168], 16),
        Prefix([198, 18], 15), Prefix([198, 51, 100], 24), Prefix([203, 0, 113], 24), Prefix([224], 3),
    ]

    /// The only part of version 6 from which public addresses are assigned (RFC 4291, 2.4).
    private static let globalUnicast = Prefix([0x20], 3)

    private static let reservedSix = [
        // Protocol assignments, Teredo among them, which tunnels to addresses of version 4; documentation.
        Prefix([0x20, 0x01, 0x00], 23), Prefix([0x20, 0x01, 0x0D, 0xB8], 32), Prefix([0x3F, 0xFF], 20),
    ]

    /// The addresses that contain one of version 4, and where: mapped (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056).
    private static let embeddings = [
        (Prefix([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96), 12), (Prefix([0x00, 0x64, 0xFF, 0x9B], 96), 12),
        (Prefix([0x20, 0x02], 16), 2),
    ]
}
