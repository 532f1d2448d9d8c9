import Glibc

/// What a descriptor leads to, and what it can show. There are no colours, which `NO_COLOR` (no-color.org) asks for.
package struct Screen: Sendable {
    package let descriptor: Int32
    package let isTerminal: Bool
    /// Lines can be drawn again in place. `TERM=dumb` says that they can't.
    package let canRedraw: Bool

    package init(descriptor: Int32, environment: [String: String], isTerminal: Bool? = nil) {
        self.descriptor = descriptor
        let isTerminal = isTerminal ?? (isatty(descriptor) == 1)
        self.isTerminal = isTerminal
        let term = environment["TERM"] ?? ""
        canRedraw = isTerminal && term != "dumb" && !term.isEmpty
    }

    /// Columns and lines, which change while a program runs.
    package var size: (width: Int, height: Int) {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
        }
        return (80, 24)
    }

    /// Writes all of `text`. Nobody is left to tell of an output that can't be written, so that the program ends with
    /// its exit code for failures.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    let reason = String(cString: strerror(errno))
                    if descriptor != 2 {
                        Screen(descriptor: 2, environment: [:]).write(
                            "The output can't be written: \(reason).\n")
                    }
                    exit(1)
                }
            }
        }
    }
}
