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

extension EmojiUse: ExampleProviding {
    public static var example: EmojiUse {
        EmojiUse(set: "org.example.faces", version: ExampleValues.version, chosen: "org.example.faces")
    }
}

extension EmojiSetRequest: ExampleProviding {
    public static var example: EmojiSetRequest { EmojiSetRequest(identifier: "org.example.faces") }
}

extension EmojiCategoryList: ExampleProviding {
    public static var example: EmojiCategoryList { EmojiCategoryList(categories: [.example]) }
}

extension EmojiCategory: ExampleProviding {
    public static var example: EmojiCategory { EmojiCategory(name: "Smileys & Emotion", subgroups: [.example]) }
}

extension EmojiCategory.Subgroup: ExampleProviding {
    public static var example: EmojiCategory.Subgroup {
        EmojiCategory.Subgroup(name: "face-smiling", emoji: ["😀", "🙂"])
    }
}

extension EmojiMatchList: ExampleProviding {
    public static var example: EmojiMatchList { EmojiMatchList(emoji: [.example]) }
}

extension EmojiMatch: ExampleProviding {
    public static var example: EmojiMatch {
        EmojiMatch(
            emoji: "🙂", name: "slightly smiling face", keywords: ["face", "smile"], category: "Smileys & Emotion")
    }
}

extension MessageTextRequest: ExampleProviding {
    public static var example: MessageTextRequest {
        MessageTextRequest(text: "Hello :-) \(StickerReference.example.text)", unit: .utf16)
    }
}

extension MessageTextDocument: ExampleProviding where Span: ExampleProviding {
    public static var example: MessageTextDocument { MessageTextDocument(unit: .utf16, spans: [.example]) }
}

extension EmojiTextSpan: ExampleProviding {
    public static var example: EmojiTextSpan {
        EmojiTextSpan(
            kind: .emoticon, text: ":-)", emoji: "🙂", start: 6, end: 9,
            image: "/v1/emoji/org.example.faces/pictures/1f642")
    }
}
