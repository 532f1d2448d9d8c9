// Opens a picker of emoji and draws some again and again, or looks one up in a new process, and prints nanoseconds: see
// `usage`.

import Glibc
import StoreEmoji
import StoreEmojiFonts
import StoreSystem

let usage = """
    usage: bench-emoji open FILE COUNT TIMES
             opens the compiled file, reads its categories, and reads COUNT images by their sequences
             prints: nanoseconds of one time, emoji in the file, bytes of the images, bytes of memory of this process
           bench-emoji first FILE HEX
             prints: nanoseconds of opening the file and finding one image, its size, bytes of memory of this process
           bench-emoji compile FONT LIST FILE DIRECTORY
             compiles the font's emoji into FILE, and writes each image into DIRECTORY

    """

/// Memory that is not shared with files (proc_pid_status(5)).
func memory() throws -> Int {
    let status = try OpenFile.open("/proc/self/status").read(count: 8192, at: 0)
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
}

func nanoseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000)
}

/// Returns the sequences that a picker draws first: every part of the set has some of them.
func drawn(_ file: EmojiFile, _ count: Int) -> [EmojiSequence] {
    (0..<count).compactMap { file.sequence($0 * file.count / count) }
}

func open(_ path: String, count: Int, times: Int) throws {
    let sequences = drawn(try EmojiFile(OpenFile.open(path).map(populating: false)), count)
    var (emoji, bytes) = (0, 0)
    let start = ContinuousClock.now
    for _ in 0..<times {
        let file = try EmojiFile(OpenFile.open(path).map(populating: false))
        emoji = file.categories.reduce(0) { $0 + $1.emoji.count }
        bytes = 0
        for sequence in sequences {
            guard let number = file.number(of: sequence), let image = file.images(number).first else { exit(1) }
            bytes += file.bytes(of: image).count
        }
    }
    print(nanoseconds(ContinuousClock.now - start) / times, emoji, bytes, try memory())
}

func first(_ path: String, _ hexadecimal: String) throws {
    guard let sequence = EmojiSequence(hexadecimal: hexadecimal) else { exit(2) }
    let start = ContinuousClock.now
    let file = try EmojiFile(OpenFile.open(path).map(populating: false))
    guard let number = file.number(of: sequence), let image = file.images(number).first else { exit(1) }
    let bytes = file.bytes(of: image).count
    print(nanoseconds(ContinuousClock.now - start), bytes, try memory())
}

func compile(_ font: String, _ list: String, _ path: String, _ directory: String) throws {
    let text = String(decoding: try OpenFile.open(list).readAll(limit: 1 << 24), as: UTF8.self)
    let set = try EmojiSetDescription(font: OpenFile.open(font), order: EmojiOrder(testFile: text, file: list))
    let (parent, name) = FilePaths.split(path)
    try Directory.open(parent).createFile(name).write(set.compiled(), at: 0)
    let images = try Directory.create(directory)
    for item in set.items { try images.createFile(item.sequence.fileStem + ".png").write(item.images[0].bytes, at: 0) }
    print(set.items.count)
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("open"?, 4): try open(arguments[1], count: Int(arguments[2]) ?? 50, times: Int(arguments[3]) ?? 1)
    case ("first"?, 3): try first(arguments[1], arguments[2])
    case ("compile"?, 5): try compile(arguments[1], arguments[2], arguments[3], arguments[4])
    default:
        print(usage, terminator: "")
        exit(2)
    }
} catch {
    print("\(error)")
    exit(1)
}
