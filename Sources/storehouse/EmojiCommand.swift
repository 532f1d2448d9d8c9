import ArgumentParser
import StoreEmoji
import StoreModel
import StoreSystem
import StoreTerminal

struct EmojiCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emoji", abstract: "Compile, unpack and check the files of emoji sets",
        discussion: """
            A compiled file has all images of a set, so that an application reads them without opening a file each. Put it \
            into the directory of a pack of the kind 'emoji', and add that with 'storehouse add'.

            Examples:
              storehouse emoji compile faces/order.xml --into pack/faces.emojiset
              storehouse emoji check pack/faces.emojiset
            """,
        subcommands: [EmojiCompile.self, EmojiUnpack.self, EmojiCheck.self])
}

/// The command `emoji unpack`, which writes the images and the XML description of a compiled file into a directory.
struct EmojiUnpack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack", abstract: "Write the images and the description of a compiled file into a directory",
        discussion: """
            The description is order.xml. Compiling it again results in the same file, except that format 1 has no names \
            of categories.

            Examples:
              storehouse emoji unpack faces.emojiset --into faces
            """)

    @Argument(help: ArgumentHelp("Compiled file of format 1 or 2", valueName: "file"), completion: .file())
    var file: String
    @Option(
        help: ArgumentHelp("Directory, which is created; it must be empty", valueName: "dir"), completion: .directory)
    var into: String

    func run() throws {
        let description = try EmojiFiles.read(file)
        let directory = try Directory.create(into, mode: 0o755)
        guard try directory.entries().isEmpty else {
            throw StoreError(.emojiDirectoryNotEmpty, ["path": .path(into)])
        }
        let (text, images) = description.xml()
        for (name, bytes) in images.sorted(by: { $0.key < $1.key }) {
            try directory.createFile(name).write(bytes, at: 0)
        }
        try directory.createFile("order.xml").write(Array(text.utf8), at: 0)
        Output.console.line("Unpacked \(Output.count(images.count, "image")) into '\(into)'.")
    }
}

/// The command `emoji check`, which lists everything in a file that is not as its format says.
struct EmojiCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a compiled file or a description",
        discussion: """
            Prints a line for each mistake, with its place and what was expected there, and exits with 5 if there is one. \
            Of a description in XML and of a file of format 1 only the first mistake is printed.

            Examples:
              storehouse emoji check faces.emojiset
            """)

    @Argument(help: ArgumentHelp("Compiled file, or XML description", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        if file.lowercased().hasSuffix(".xml") {
            let count = try EmojiFiles.readXML(file).items.count
            return Output.console.line("\(file): \(count) emoji, no problems found.")
        }
        let bytes = try EmojiFiles.bytes(of: file)
        guard EmojiFile.isRecognized(bytes) else {
            let count = try EmojiFiles.read(file).items.count
            return Output.console.line("\(file): format 1, \(count) emoji, no problems found.")
        }
        let opened = try EmojiFiles.naming(file) { try EmojiFile(bytes) }
        let problems = opened.problems()
        for problem in problems {
            Output.console.line("\(file): \(problem.place): expected \(problem.expected), found \(problem.found)")
        }
        guard problems.isEmpty else { throw ArgumentParser.ExitCode(StoreModel.ExitCode.refused.rawValue) }
        let languages = opened.languages
        let names = languages.isEmpty ? "no names" : "names in \(languages.joined(separator: ", "))"
        Output.console.line("\(file): format 2, \(opened.count) emoji, \(names), no problems found.")
    }
}
