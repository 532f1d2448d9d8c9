import StoreModel

/// A namespace for the words by which emoji are found: lower case, without diacritics, separated by anything else.
enum EmojiWords {
    /// Returns the words of a text in the form in which they are compared.
    static func words(_ text: String) -> [String] {
        SearchText.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
