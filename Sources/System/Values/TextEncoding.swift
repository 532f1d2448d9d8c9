import Glibc
import StoreModel

/// A text encoding other than UTF-8 that the C library converts (iconv(3)), such as `WINDOWS-1252`.
public struct TextEncoding: Sendable, Hashable {
    /// The name of the encoding as iconv(3) knows it.
    public let name: String

    /// Creates an encoding from its name; whether the C library knows it, ``decode(_:)`` shows.
    public init(_ name: String) { self.name = name }

    /// The Western European encoding of Windows, a superset of the printable characters of ISO 8859-1.
    public static let windows1252 = TextEncoding("WINDOWS-1252")

    /// Returns the text that bytes in this encoding stand for.
    ///
    /// - Returns: `nil` if the C library does not know the encoding, or if the bytes are invalid in it.
    public func decode(_ bytes: [UInt8]) -> String? {
        guard TextEncoding.isName(name), let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1
        else { return nil }
        defer { iconv_close(converter) }
        // A character of at most four bytes for each byte, and the initial byte order mark.
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 4)
        var input = bytes.map(CChar.init(bitPattern:))
        let written: Int? = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, fromCount) = (input.baseAddress, input.count)
                var (to, toCount) = (output.baseAddress, output.count)
                guard iconv(converter, &from, &fromCount, &to, &toCount) != -1, fromCount == 0 else { return nil }
                return output.count - toCount
            }
        }
        return written.flatMap { String(validating: output[..<$0].map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    /// Returns whether a text has the form of an encoding's name, without the options that follow a `//` in glibc.
    private static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte < 0x80 && (Unicode.Scalar(byte).properties.isAlphabetic || (0x30...0x3A).contains(byte))
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+")].contains(byte)
            }
    }
}
