public import ArgumentParser
import FoundationEssentials
public import StoreEmoji
import StoreEmojiFonts
import StoreModel
import StoreSystem
import StoreTerminal
import StoreWorker

/// The command `emoji compile`, which makes a compiled file from a description, a directory of images or a font.
struct EmojiCompile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Compile a description, a directory of images or a colour font",
        discussion: """
            The source is an XML description; a directory of images that are named after code points, such as 1f600.png, \
            1f468-200d-1f33e.png or emoji_u1f468_200d_1f33e.png; or a font with stored images (PNG or SVG), of \
            which those that are damaged or have active content are left out with a warning.

            Order, categories and English names are those of Unicode's file emoji-test.txt, and names and keywords those \
            of annotation files of CLDR. Debian has both, in the packages unicode-data and unicode-cldr-core. The same \
            input results in the same bytes.

            Examples:
              storehouse emoji compile faces/order.xml --into faces.emojiset
              storehouse emoji compile NotoColorEmoji.ttf --into noto.emojiset \\
                --order /usr/share/unicode/emoji/emoji-test.txt \\
                --annotations /usr/share/unicode/cldr/common/annotations/de.xml
            """)

    enum Format: Int, ExpressibleByArgument, CaseIterable {
        case one = 1
        case two = 2
    }

    @Argument(
        help: ArgumentHelp("XML description, directory of images, or font", valueName: "source"), completion: .file())
    var source: String
    @Option(help: ArgumentHelp("File to write, which is replaced", valueName: "file"), completion: .file())
    var into: String
    @Option(
        help: ArgumentHelp("Unicode's file emoji-test.txt, for a directory or a font", valueName: "file"),
        completion: .file())
    var order: String?
    @Option(
        help: ArgumentHelp("Annotation file of CLDR; repeatable, one or more for each language", valueName: "file"),
        completion: .file())
    var annotations: [String] = []
    @Option(help: "Format of the file: 2, or 1 for up to two code points and images of up to 65,535 bytes")
    var format = Format.two
    @Option(name: .customLong("byte-order"), help: "Byte order of a file of format 1: little or big")
    var byteOrder: EmojiFormatOne.ByteOrder?
    @Flag(name: .customLong("leave-out"), help: "Leave out emoji that format 1 can't hold instead of failing")
    var leavesOut = false

    func validate() throws {
        if format == .two, byteOrder != nil || leavesOut {
            throw ValidationError("--byte-order and --leave-out require '--format 1'")
        }
        if source.lowercased().hasSuffix(".xml"), order != nil {
            throw ValidationError("--order can't be combined with a description, which has an order of its own")
        }
    }

    func run() throws {
        var set = try description()
        for path in annotations {
            let bytes = try EmojiFiles.bytes(of: path)
            set.add(try EmojiAnnotations(bytes, file: path))
        }
        let file: [UInt8]
        if format == .two {
            file = try set.compiled()
        } else {
            if leavesOut { leaveOut(from: &set) }
            file = try EmojiFormatOne.write(set, byteOrder: byteOrder ?? .little)
        }
        try Directory.replaceOutput(into, with: Data(file))
        let count = set.items.count
        Output.console.line("Compiled \(count) emoji into '\(into)' (\(AmountFormat.bytes(file.count))).")
    }

    private func description() throws -> EmojiSetDescription {
        if source.lowercased().hasSuffix(".xml") { return try EmojiFiles.readXML(source) }
        let order = try order.map { path in
            try EmojiOrder(
                testFile: String(decoding: EmojiFiles.bytes(of: path), as: UTF8.self), file: path)
        }
        if FilePaths.isDirectory(source) {
            return try EmojiSetDescription(imagesIn: Directory.open(source), order: order) { name in
                Output.console.warning("'\(name)' is not an image that is named after an emoji, and is left out")
            }
        }
        guard let order else { throw StoreError(.emojiOrderRequired) }
        return try fontDescription(order)
    }

    /// Reads a font in a confined process, if this machine can confine one.
    private func fontDescription(_ order: EmojiOrder) throws -> EmojiSetDescription {
        let font = try OpenFile.open(argument: source)
        var settings = WorkerService.Settings()
        // The font is copied into memory, and its SVG documents are parsed into trees.
        settings.limits.memory = 1 << 30
        let worker = WorkerService(
            settings, name: WorkerService.pictureProgramName, environment: ProcessInfo.processInfo.environment)
        defer { worker.close() }
        if let obstacle = worker.availability.obstacle {
            Output.console.warning("the font is read in this process, which is not confined: \(obstacle)")
        }
        return try EmojiSetDescription(
            font: font, order: order, worker: worker,
            missing: { emoji in
                Output.console.warning("the font does not draw \(emoji.text) (\(emoji.hexadecimal())) as one image")
            },
            refused: { emoji, reason in
                Output.console.warning("\(emoji.text) (\(emoji.hexadecimal())) is left out: \(reason.message)")
            })
    }

    private func leaveOut(from set: inout EmojiSetDescription) {
        set.updateEach { item in
            guard let obstacle = EmojiFormatOne.obstacle(to: item) else { return }
            Output.console.warning("\(item.sequence.text) (\(item.sequence.hexadecimal())) is left out: \(obstacle)")
            item.images = []
        }
        _ = set.removeImageless()
    }
}

extension EmojiFormatOne.ByteOrder: ExpressibleByArgument {}
