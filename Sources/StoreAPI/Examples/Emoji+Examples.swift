public import StoreModel
public import StoreOpenAPI

extension EmojiSetList: ExampleProviding {
    public static var example: EmojiSetList { EmojiSetList(sets: [.example]) }
}

extension EmojiSet: ExampleProviding {
    public static var example: EmojiSet {
        EmojiSet(
            productIdentifier: "org.example.faces", name: LocalizedText(byLanguage: ["en": "Faces", "pt": "Caras"]),
            publisher: "Example", license: "CC-BY-4.0", version: ExampleValues.version,
            operation: ExampleValues.operation, path: "/home/ada/.local/share/storectl/packs/org.example.faces",
            emoji: [
                Emoji(text: "🙂", category: "Smileys", file: "1f642.png"),
                Emoji(text: "🎉", category: "Activities", file: "1f389.png"),
            ])
    }
}
