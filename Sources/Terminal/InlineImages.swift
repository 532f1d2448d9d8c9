package import FoundationEssentials

/// The protocol by which a terminal shows images: kitty's, iTerm2's, or none.
package enum InlineImages: Sendable, Equatable {
    /// The terminal shows images by kitty's graphics protocol, which accepts only PNG files.
    ///
    /// The protocol is described at sw.kovidgoyal.net/kitty/graphics-protocol.
    case kitty
    /// The terminal shows images by iTerm2's inline images, in any format that the system decodes.
    ///
    /// The protocol is described at iterm2.com/documentation-images.html.
    case inline
    case none

    /// Detects from the environment by which protocol the terminal shows images.
    ///
    /// The result is `none` within screen or tmux, which do not forward images reliably.
    package init(environment: [String: String], isTerminal: Bool) {
        let term = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] ?? ""
        if !isTerminal || term == "dumb" || term.hasPrefix("screen") || term.hasPrefix("tmux") {
            self = .none
        } else if term == "xterm-kitty" || environment["KITTY_WINDOW_ID"] != nil || program == "ghostty" {
            self = .kitty
        } else if ["iTerm.app", "iTerm2", "WezTerm", "mintty"].contains(program) {
            self = .inline
        } else {
            self = .none
        }
    }

    /// Returns the escape sequence that makes the terminal show an image; `nil` if it can't show the image's format.
    package func sequence(for image: Data) -> String? {
        switch self {
        case .none: nil
        case .kitty: isPNG(image) ? kittySequence(image) : nil
        case .inline:
            "\u{1B}]1337;File=inline=1;size=\(image.count);height=10:\(image.base64EncodedString())\u{07}\n"
        }
    }

    private func isPNG(_ image: Data) -> Bool {
        image.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// Returns kitty's escape sequences for an image, in chunks of at most 4096 characters.
    ///
    /// `m=1` marks all chunks but the last.
    private func kittySequence(_ image: Data) -> String {
        let encoded = Array(image.base64EncodedString().utf8)
        var sequence = ""
        for start in stride(from: 0, to: encoded.count, by: 4096) {
            let end = min(start + 4096, encoded.count)
            let keys = start == 0 ? "a=T,f=100,r=10,q=2," : ""
            let chunk = String(decoding: encoded[start..<end], as: UTF8.self)
            sequence += "\u{1B}_G\(keys)m=\(end < encoded.count ? 1 : 0);\(chunk)\u{1B}\\"
        }
        return sequence + "\n"
    }
}
