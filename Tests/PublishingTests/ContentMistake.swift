import Foundation
import StoreEmoji
import StoreImages
import StoreLibrary
import StoreModel
import StorePlugins
import StoreSkins
import StoreStickerPacks
import StoreTestSupport

/// A pack with a mistake, and what its publisher has to be told: the file, the place in it, and what is expected.
struct ContentMistake: Sendable, CustomStringConvertible {
    let code: String
    let kind: ProductKind
    let files: [String: Data]
    /// Parts of the message.
    let parts: [String]
    /// The hint for the publisher.
    let hint: String?
    /// Whether only `storehouse add` finds the mistake, which clients skip or can't see.
    let isForPublishing: Bool

    var description: String { "\(code) \(parts)" }

    init(
        _ code: String, _ kind: ProductKind, _ files: [String: Data], _ parts: String..., hint: String? = nil,
        isForPublishing: Bool = false
    ) {
        self.code = code
        self.kind = kind
        self.files = files
        self.parts = parts
        self.hint = hint
        self.isForPublishing = isForPublishing
    }

    /// The kinds of content with which the mistakes are found: their limits are low, so that small files exceed them.
    static var kinds: ContentKinds {
        var images = ImageLimits()
        images.pixels = 16
        images.frames = 2
        return ContentKinds([
            StickerKind(images: images), SkinKind(images: images), EmojiKind(images: images), PluginKind(),
        ])
    }

    static let picture = Data(ImageForge.png())

    private static func sticker(_ name: String, _ data: [UInt8]) -> [String: Data] { [name: Data(data)] }

    private static func information(_ json: String) -> [String: Data] {
        ["pack.json": Data(json.utf8), "01.png": picture, "a.txt": Data("text".utf8)]
    }

    private static func order(_ xml: String) -> [String: Data] { ["order.xml": Data(xml.utf8)] }

    private static func skin(_ skin: String, header: String) -> [String: Data] {
        ["skin.xml": Data(skin.utf8), "header.xml": Data(header.utf8)]
    }

    private static let noImage = [UInt8](repeating: 0x21, count: 22)

    /// A compiled emoji file with one emoji, whose image is at an offset.
    private static func compiled(_ image: [UInt8], at offset: Int) -> [String: Data] {
        let header: [UInt8] = [1] + ImageForge.little(1) + ImageForge.little(0x1F600) + ImageForge.little(0)
        let place = ImageForge.little(offset) + [0] + ImageForge.little16(image.count)
        return ["set.bin": Data(header + place + image)]
    }

    static let all: [ContentMistake] = information + files + images + documents + skins + publishing

    /// Mistakes in `pack.json`.
    private static let information: [ContentMistake] = [
        ContentMistake(
            "content.bad-information", .sticker,
            information("{\"stickers\": [\n{\"file\": \"01.png\"},\n{\"file\": \"02.png\", \"emoji\": \"😂\"}]}"),
            #"pack.json, sticker 2: 'emoji' must be a list, such as ["😂"] (line 3)"#),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"stickers": [{"file": "01.png", "emoji": [7]}]}"#),
            #"pack.json, sticker 1: 'emoji' must be a list of strings, such as ["😂"] (line 1)"#),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"stickers": [{"id": "a"}]}"#),
            #"pack.json, sticker 1: 'file' is missing; it must be a string, such as "01.png" (line 1)"#),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"stickers": ["01.png"]}"#),
            #"pack.json, sticker 1: it must be an object, such as {"file": "01.png"} (line 1)"#),
        ContentMistake(
            "content.bad-information", .sticker, information("{\n\n\"name\": 7}"),
            "pack.json: 'name' must be a string, or an object with a string for each language, such as {", "(line 3)"),
        ContentMistake(
            "content.bad-information", .sticker, information("[]"),
            #"pack.json: the file must contain an object, such as {"name": "Cups"} (line 1)"#),
        ContentMistake(
            "content.bad-information", .sticker, information("{\n  \"name\" 1\n}"),
            "pack.json: invalid JSON at line 2, column 10"),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"name": "C:\cups"}"#),
            "pack.json: invalid JSON at line 1, column 11"),
        ContentMistake(
            "content.bad-information", .sticker, information("{\n  \"name\": \"a\",\n  \"name\": \"b\"\n}"),
            "pack.json: the member 'name' occurs twice; it must occur once (line 3)"),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"stickers": [{"file": "02.png"}]}"#),
            "pack.json, sticker 1: 'file' names '02.png', which is not in the pack; it must be the path of a file"),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"cover": "02.png"}"#),
            "pack.json: 'cover' names '02.png', which is not in the pack"),
        ContentMistake(
            "content.bad-information", .sticker, information(#"{"stickers": [{"file": "a.txt"}]}"#),
            "pack.json, sticker 1: 'file' names 'a.txt', which is text; it must be the path of an image"),
        ContentMistake(
            "content.bad-information", .sticker,
            information(#"{"stickers": [{"file": "01.png", "id": "a"}, {"file": "a.txt", "id": "a"}]}"#),
            "pack.json, sticker 2: the identifier 'a' belongs to sticker 1 already; each sticker must have its own 'id'"
        ),
        ContentMistake(
            "content.bad-information", .plugin, information(#"{"permissions": ["Network"]}"#),
            "pack.json: invalid permission 'Network' in 'permissions'", "lower-case letters, digits, dots and hyphens"),
        ContentMistake(
            "content.bad-information", .plugin,
            information("{\"permissions\": [\(Array(repeating: "\"a\"", count: 33).joined(separator: ","))]}"),
            "pack.json: 'permissions' has 33 elements; the limit is 32"),
    ]

    /// Files that packs of their kind may not contain.
    private static let files: [ContentMistake] = [
        ContentMistake(
            "content.file-type", .sticker, sticker("a.attheme", Array("a=1".utf8)), "'a.attheme' is text",
            "(.txt, .md, .json)"),
        ContentMistake(
            "content.file-type", .sticker, sticker("a.png", Array("text".utf8)), "'a.png' is text",
            hint: "remove the file, or give it the name of its type"),
        ContentMistake(
            "content.file-type", .sticker, sticker("a.pdf", Array("%PDF-1.7".utf8)), "'a.pdf' is a PDF document",
            "may contain only images"),
        ContentMistake(
            "content.file-type", .emoji, order("<a>\n<b xmlns='http://www.w3.org/1999/xhtml'/></a>"),
            "'order.xml' is a web page", "(line 2)"),
        ContentMistake(
            "content.file-type", .emoji, order("<?xml-stylesheet href='a.css'?>\n<a/>"),
            "'order.xml' refers to a style sheet", "(line 1)"),
        ContentMistake(
            "content.executable", .sticker, sticker("a.txt", Array("#!/bin/sh\n".utf8)), "'a.txt' is a script",
            "may not contain executable files"),
        ContentMistake(
            "content.too-large", .sticker, sticker("a.txt", Array(repeating: 0x20, count: 4 << 20 | 1)), "'a.txt' is",
            "the limit is 4194304 bytes"),
    ]

    /// Images that clients don't accept.
    private static let images: [ContentMistake] = [
        ContentMistake(
            "content.image-unknown", .emoji, compiled(noImage, at: 20),
            "could not use image 1 of the compiled emoji file 'set.bin'", "supported format"),
        ContentMistake(
            "content.emoji-damaged", .emoji, compiled(noImage, at: 21),
            "image 1 of the compiled emoji file 'set.bin' overlaps other data or lies outside the file"),
        ContentMistake(
            "content.image-damaged", .sticker, sticker("a.png", Array(ImageForge.png().dropLast(14))),
            "could not use 'a.png': invalid PNG image: "),
        ContentMistake(
            "content.image-trailing", .sticker, sticker("a.png", ImageForge.png() + [1]), "could not use 'a.png'",
            "extra data (1 byte) after the end of the image"),
        ContentMistake(
            "content.image-too-large", .sticker, sticker("a.png", ImageForge.png(5, 4)), "could not use 'a.png'",
            "5 × 4 pixels; the limit is 16 pixels"),
        ContentMistake(
            "content.image-frames", .sticker, sticker("a.png", ImageForge.apng(2, 2, frames: 3)),
            "could not use 'a.png'", "3 frames; the limit is 2"),
        ContentMistake(
            "content.svg-active", .sticker,
            sticker(
                "a.svg", Array("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'>\n<script/></svg>".utf8)),
            "could not use 'a.svg'", "line 2: the element 'script' is not allowed"),
    ]

    /// XML that can't be read.
    private static let documents: [ContentMistake] = [
        ContentMistake(
            "xml.malformed", .emoji, order("<emojis>\n<category>\n</emojis>"),
            "could not read 'order.xml' as XML: line 3, column ", "syntax error"),
        ContentMistake(
            "xml.not-utf8", .emoji, ["order.xml": Data(Array("<emojis>\n".utf8) + [0xE4] + Array("</emojis>".utf8))],
            "could not read 'order.xml' as XML: line 2: ", "not UTF-8", hint: "save the file as UTF-8"),
        ContentMistake(
            "xml.doctype", .emoji, order("<!DOCTYPE emojis SYSTEM 'a.dtd'>\n<emojis/>"),
            "could not read 'order.xml' as XML: line ", "a document type (<!DOCTYPE>) is not allowed"),
        ContentMistake(
            "xml.entity", .emoji, order("<emojis>\n&a;</emojis>"), "could not read 'order.xml' as XML: line ",
            "unknown entity '&a;'"),
        ContentMistake(
            "xml.too-large", .emoji,
            order(String(repeating: "<a>", count: 201) + String(repeating: "</a>", count: 201)),
            "could not read 'order.xml' as XML: line 1", "more than 200 levels deep"),
        ContentMistake(
            "xml.malformed", .skin, skin("<skin\nidentifier='a'>", header: "<theme/>"), "'skin.xml'", "line 2"),
    ]

    private static let valid = "<skin identifier='night'/>"

    /// Mistakes in skins.
    private static let skins: [ContentMistake] = [
        ContentMistake(
            "skin.bad-information", .skin, skin("<skin identifier='a b'/>", header: "<theme/>"), "skin.xml:1: ",
            "'identifier' must not contain white space nor exceed 200 bytes"),
        ContentMistake(
            "skin.bad-value", .skin,
            skin(
                valid,
                header: """
                    <theme><instances><uiview id='a'><operation name='backgroundColor'>
                    <param name='color' type='color'>purpel</param></operation></uiview></instances></theme>
                    """), "header.xml:2: ", "'purpel'", "expected #rrggbb or #rrggbbaa",
            hint: "list all mistakes of the skin with 'storectl skin check'", isForPublishing: true),
        ContentMistake(
            "skin.too-large", .skin,
            skin(
                valid,
                header: "<theme><instances>\(String(repeating: "<a id='a'/>", count: 100_001))</instances></theme>"),
            "'header.xml' exceeds the limit of 100000 instances", hint: "remove instances from the skin"),
    ]

    private static let identifierHint =
        "use an identifier of letters, digits, '.', '-' and '_', such as org.example.cups, or set one with --id"

    /// Mistakes in what is published of a pack.
    private static let publishing: [ContentMistake] = [
        ContentMistake(
            "publish.bad-picture", .sticker, information(#"{"sprite": "b.png"}"#), "'pack.json' of '",
            "names the picture 'b.png', which does not exist", isForPublishing: true),
        ContentMistake(
            "publish.bad-picture", .sticker, information(#"{"sprite": "a.txt"}"#),
            "names the picture 'a.txt', which has none of the types apng, gif", isForPublishing: true),
        ContentMistake(
            "publish.bad-price", .sticker, information(#"{"price": "cheap"}"#), "pack.json: invalid price 'cheap'",
            hint: "use an amount with a currency, such as '1.99 EUR' or '1000 JPY', or 'free'", isForPublishing: true),
        ContentMistake(
            "publish.bad-identifier", .sticker, information(#"{"version": "new"}"#), "pack.json: invalid version 'new'",
            hint: "use a version with numbers, such as 1.0.0", isForPublishing: true),
        ContentMistake(
            "publish.bad-identifier", .sticker, information(#"{"productIdentifier": "a\u0007"}"#),
            "pack.json: its identifier holds control characters",
            hint: identifierHint, isForPublishing: true),
        ContentMistake(
            "publish.bad-identifier", .sticker, information(#"{"dependencies": [""]}"#),
            "pack.json: invalid identifier '' in 'dependencies'",
            hint: "use identifiers of products, such as org.example.base", isForPublishing: true),
        ContentMistake(
            "content.bad-information", .sticker,
            information("{\"tags\": [\(Array(repeating: "\"a\"", count: 1_001).joined(separator: ","))]}"),
            "pack.json: 'tags' has 1001 elements; the limit is 1000", isForPublishing: true),
        ContentMistake(
            "content.bad-information", .sticker, information("{\n\"price\": true}"),
            #"pack.json: 'price' must be a string or a number, such as "1.99 EUR" (line 2)"#, isForPublishing: true),
    ]
}
