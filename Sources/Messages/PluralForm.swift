/// The form of a noun after a number, as the Unicode CLDR names it.
///
/// Source: CLDR 42, `supplemental/plurals.xml`, for whole numbers.
enum PluralForm: String, CaseIterable {
    case zero, one, two, few, many, other
}

extension Language {
    /// The forms of the language in the order of its `msgstr[N]`, which is that of `Plural-Forms` in its file.
    var pluralForms: [PluralForm] {
        switch self {
        case .english, .german: [.one, .other]
        case .french, .spanish, .catalan: [.one, .many, .other]
        case .arabic: [.zero, .one, .two, .few, .many, .other]
        }
    }

    /// Returns the form of a noun after a number that is not negative.
    func pluralForm(of number: Int) -> PluralForm {
        switch self {
        case .english, .german: return number == 1 ? .one : .other
        case .french:
            if number == 0 || number == 1 { return .one }
            return number % 1_000_000 == 0 ? .many : .other
        case .spanish, .catalan:
            if number == 1 { return .one }
            return number != 0 && number % 1_000_000 == 0 ? .many : .other
        case .arabic:
            switch (number, number % 100) {
            case (0, _): return .zero
            case (1, _): return .one
            case (2, _): return .two
            case (_, 3...10): return .few
            case (_, 11...99): return .many
            default: return .other
            }
        }
    }
}
