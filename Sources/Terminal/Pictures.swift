package import FoundationEssentials

/// The ways in which a terminal can show a picture.
package enum Pictures: Sendable, Equatable {
    /// The graphics protocol of kitty (sw.kovidgoyal.net/kitty/graphics-protocol); of the formats of files it takes
    /// PNG.
    case kitty
    /// Inline images of iTerm2 (iterm2.com/documentation-images.html); whatever format the system knows.
    case inline
    case none

    /// What the terminal can, as far as its environment tells. Inside screen or tmux nothing is sure.
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

    /// What to send to the terminal so that it shows the picture; `nil` where it can't show this one.
    package func sequence(for picture: Data) -> String? {
        switch self {
        case .none: nil
        case .kitty: isPNG(picture) ? kittySequence(picture) : nil
        case .inline:
            "\u{1B}]1337;File=inline=1;size=\(picture.count);height=10:\(picture.base64EncodedString())\u{07}\n"
        }
    }

    private func isPNG(_ picture: Data) -> Bool {
        picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// Pieces of at most 4096 characters, of which all but the last say that more follow.
    private func kittySequence(_ picture: Data) -> String {
        let encoded = Array(picture.base64EncodedString().utf8)
        var sequence = ""
        for start in stride(from: 0, to: encoded.count, by: 4096) {
            let end = min(start + 4096, encoded.count)
            let keys = start == 0 ? "a=T,f=100,r=10,q=2," : ""
            let piece = String(decoding: encoded[start..<end], as: UTF8.self)
            sequence += "\u{1B}_G\(keys)m=\(end < encoded.count ? 1 : 0);\(piece)\u{1B}\\"
        }
        return sequence + "\n"
    }
}
