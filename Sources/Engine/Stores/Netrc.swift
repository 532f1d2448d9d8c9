/// The users and passwords in the text of a `.netrc` file.
///
/// The format is that of ftp(1) as curl reads it: `machine HOST login USER password PASSWORD`, in any number of lines.
struct Netrc {
    /// The user and password for one host in a `.netrc` file.
    struct Login: Equatable {
        var user = ""
        var password = ""
    }
    private var logins: [(host: String?, login: Login)] = []

    /// Parses the text of a `.netrc` file; unknown words are ignored.
    init(_ text: String) {
        var words = Self.words(of: text)[...]
        while let word = words.popFirst() {
            switch word {
            case "machine": logins.append((words.popFirst()?.lowercased() ?? "", Login()))
            case "default": logins.append((nil, Login()))
            case "login": change(words.popFirst()) { $0.user = $1 }
            case "password": change(words.popFirst()) { $0.password = $1 }
            case "account": words = words.dropFirst()
            default: break
            }
        }
    }

    private mutating func change(_ value: String?, _ body: (inout Login, String) -> Void) {
        guard let value, !logins.isEmpty else { return }
        body(&logins[logins.count - 1].login, value)
    }

    /// Returns the first entry of the `.netrc` file for a host, or the default entry if that comes earlier.
    ///
    /// The result is `nil` if there is neither.
    func login(for host: String) -> Login? {
        logins.first { $0.host == nil || $0.host == host.lowercased() }?.login
    }

    private static func words(of text: String) -> [String] {
        var all: [String] = []
        var isMacro = false
        // Also at "\r\n", which is one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy({ " \t".contains($0) }) {
                // A macro definition (`macdef`) ends with an empty line.
                isMacro = false
                continue
            }
            let found = isMacro ? [] : words(ofLine: line)
            isMacro = isMacro || found.contains("macdef")
            all += found.prefix { $0 != "macdef" }
        }
        return all
    }

    private static func words(ofLine line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.drop { " \t".contains($0) }
        while let first = rest.first, first != "#" || !words.isEmpty {
            var word = ""
            if first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    word.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
                }
            } else {
                word = String(rest.prefix { !" \t".contains($0) })
                rest = rest.dropFirst(word.count)
            }
            words.append(word)
            rest = rest.drop { " \t".contains($0) }
        }
        return words
    }
}
