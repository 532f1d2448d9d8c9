import Glibc

/// A namespace for the function that asks for a passphrase on the terminal.
public enum PassphrasePrompt {
    /// Asks on the process's terminal for a text that is not shown; `nil` if the process has no terminal.
    ///
    /// Not to be called twice at once.
    public static func ask(_ prompt: String) -> String? {
        // Without a terminal, getpass(3) would read the standard input instead, and show it.
        let terminal = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        close(terminal)
        guard let answer = getpass(prompt) else { return nil }
        defer { memset(answer, 0, strlen(answer)) }
        return String(cString: answer)
    }
}
