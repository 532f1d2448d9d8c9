/// A signature: the bytes by which a known type of file is recognised, so that a refusal can name the type.
///
/// This is no list of dangerous types: a file of an unknown type is refused as well.
struct FileSignature: Sendable {
    let title: String
    let isProgram: Bool
    private let bytes: [UInt8]
    /// The offset in a file at which the signature's bytes have to be.
    private let place: Int

    private init(_ title: String, _ bytes: [UInt8], at place: Int = 0, program: Bool = false) {
        self.title = title
        self.bytes = bytes
        self.place = place
        isProgram = program
    }

    private init(_ title: String, _ text: String, at place: Int = 0, program: Bool = false) {
        self.init(title, Array(text.utf8), at: place, program: program)
    }

    func fits(_ head: ArraySlice<UInt8>) -> Bool { head.dropFirst(place).starts(with: bytes) }

    static let all: [FileSignature] = [
        FileSignature("a program (ELF)", [0x7F, 0x45, 0x4C, 0x46], program: true),
        FileSignature("a program (Windows)", "MZ", program: true),
        FileSignature("a program (Mach-O)", [0xFE, 0xED, 0xFA, 0xCE], program: true),
        FileSignature("a program (Mach-O)", [0xFE, 0xED, 0xFA, 0xCF], program: true),
        FileSignature("a program (Mach-O)", [0xCE, 0xFA, 0xED, 0xFE], program: true),
        FileSignature("a program (Mach-O)", [0xCF, 0xFA, 0xED, 0xFE], program: true),
        FileSignature("a program (Java or Mach-O)", [0xCA, 0xFE, 0xBA, 0xBE], program: true),
        FileSignature("a program (WebAssembly)", [0x00, 0x61, 0x73, 0x6D], program: true),
        FileSignature("a program (Android)", "dex\n", program: true),
        FileSignature("a program (LLVM)", [0x42, 0x43, 0xC0, 0xDE], program: true),
        FileSignature("a program (Lua)", [0x1B, 0x4C, 0x75, 0x61], program: true),
        FileSignature("a library of programs", "!<arch>\n", program: true),
        FileSignature("a shortcut (Windows)", [0x4C, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00], program: true),
        FileSignature("a Flash film", "FWS", program: true),
        FileSignature("a Flash film", "CWS", program: true),
        FileSignature("a ZIP archive", "PK\u{03}\u{04}"),
        FileSignature("a ZIP archive", "PK\u{05}\u{06}"),
        FileSignature("a gzip archive", [0x1F, 0x8B]),
        FileSignature("a bzip2 archive", "BZh"),
        FileSignature("an xz archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        FileSignature("a Zstandard archive", [0x28, 0xB5, 0x2F, 0xFD]),
        FileSignature("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        FileSignature("a RAR archive", "Rar!\u{1A}\u{07}"),
        FileSignature("a tar archive", "ustar", at: 257),
        FileSignature("a PDF document", "%PDF-"),
        FileSignature("a PostScript document", "%!PS"),
        FileSignature("an RTF document", "{\\rtf"),
        FileSignature("an Office document", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        FileSignature("an SQLite database", "SQLite format 3\u{0}"),
        FileSignature("a BMP image", [0x42, 0x4D]),
        FileSignature("a TIFF image", [0x49, 0x49, 0x2A, 0x00]),
        FileSignature("a TIFF image", [0x4D, 0x4D, 0x00, 0x2A]),
        FileSignature("a Windows icon", [0x00, 0x00, 0x01, 0x00]),
        FileSignature("an MNG image", [0x8A, 0x4D, 0x4E, 0x47]),
        FileSignature("a GIMP image", "gimp xcf"),
        FileSignature("a Photoshop image", "8BPS"),
        FileSignature("an AVIF image", "ftypavif", at: 4),
        FileSignature("a HEIC image", "ftyphei", at: 4),
        FileSignature("a film or a sound (MP4)", "ftyp", at: 4),
        FileSignature("a film or a sound (Matroska, WebM)", [0x1A, 0x45, 0xDF, 0xA3]),
        FileSignature("a film (AVI)", "AVI ", at: 8),
        FileSignature("a sound (WAV)", "WAVE", at: 8),
        FileSignature("a sound (Ogg)", "OggS"),
        FileSignature("a sound (FLAC)", "fLaC"),
        FileSignature("a sound (MP3)", "ID3"),
        FileSignature("a font", [0x00, 0x01, 0x00, 0x00, 0x00]),
        FileSignature("a font", "OTTO"),
        FileSignature("a font", "ttcf"),
        FileSignature("a font", "wOFF"),
        FileSignature("a font", "wOF2"),
        FileSignature("a folder's settings (macOS)", [0x00, 0x00, 0x00, 0x01, 0x42, 0x75, 0x64, 0x31]),
        FileSignature("a file's other half (macOS)", [0x00, 0x05, 0x16, 0x07]),
    ]
}
