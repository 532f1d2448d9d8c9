/// A namespace for texts for people that one program sends to another in English, such as why a download waits.
///
/// The program that shows such a text to its user translates it. `scripts/lib/messages.py` finds the texts that have a
/// translation as arguments of ``filled(_:_:)``.
public enum EnglishText {
    /// Returns a text in English with the values of its placeholders, which are names in braces such as `{store}`.
    public static func filled(_ text: String, _ arguments: [String: String] = [:]) -> String {
        arguments.isEmpty ? text : TemplateText(text).filled { arguments[$0] }
    }

    /// Returns a text in English with a number, which is the placeholder `{count}`.
    ///
    /// - Parameters:
    ///   - one: the text for the number 1.
    ///   - other: the text for other numbers.
    public static func filled(_ number: Int, one: String, other: String) -> String {
        filled(number == 1 ? one : other, ["count": "\(number)"])
    }
}
