import StoreModel

/// A language in which texts for people are written.
///
/// English is the language of the sources. The others are files of the directory `Translations`, in the format of gettext.
public enum Language: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case catalan = "ca"
    case arabic = "ar"

    /// Chooses the first of a reader's languages for which there are texts, or English.
    ///
    /// - Parameter tags: BCP 47 tags such as `de-AT`, the most preferred first; only the language of each counts.
    public init(preferring tags: [String]) {
        self =
            tags.lazy.compactMap { tag in
                Language(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
            }.first ?? .english
    }

    /// Chooses the language of the user whose environment has these variables.
    ///
    /// They are `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`, which are interpreted as by gettext.
    public init(environment: [String: String]) { self.init(preferring: LanguageTags.preferred(in: environment)) }

    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool { self == .arabic }
}
