/// A namespace for the languages that a user's environment names.
public enum LanguageTags {
    /// Returns the user's preferred languages as BCP 47 tags, from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`.
    ///
    /// They are interpreted as POSIX and gettext define them.
    public static func preferred(in environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        var names = [locale]
        // gettext ignores LANGUAGE in the C locale.
        if !["", "C", "POSIX"].contains(locale.prefix { $0 != "." }), let list = environment["LANGUAGE"] {
            names = list.split(separator: ":").map(String.init) + names
        }
        var tags: [String] = []
        for name in names {
            let tag = String(name.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
            if isTag(tag), !["C", "POSIX"].contains(tag), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Returns whether a text is a language tag that may be sent in an HTTP header field.
    public static func isTag(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
