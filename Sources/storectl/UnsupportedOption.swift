import StoreModel
import StoreTerminal

/// An option that a command does not have, although users may expect it, with what to do instead.
struct UnsupportedOption: Equatable {
    /// The error's message, in English.
    let message: String
    /// The hint that says what to do instead.
    let hint: String

    /// Finds such an option on a command line; `nil` if there is none.
    init?(in words: [String]) {
        guard let command = words.first, ["uninstall", "remove"].contains(command),
            CommandLineWords.contain("--all", in: words)
        else { return nil }
        message = EnglishText.filled("'{command}' has no option '--all'", ["command": command])
        hint = EnglishText.filled("name the packs; 'storectl list --columns id' lists the installed ones")
    }
}
