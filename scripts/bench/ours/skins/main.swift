// Loads a skin again and again, or applies skins to many objects, and prints nanoseconds: see `usage`.

import Glibc
import StoreSkins
import StoreSystem

let usage = """
    usage: bench-skins xml|compiled|values SKINS CACHE IDENTIFIER TIMES
             prints: nanoseconds of one load, values of the skin, bytes of memory that this process has for itself
           bench-skins objects SKINS CACHE ONE OTHER COUNT TIMES
             prints: nanoseconds of one change from one skin to another, objects it was applied to

    """

final class Object: Sendable {}

struct Counting: SkinApplier {
    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Object) {
        blackHole(operation.parameters[0].value.text.utf8.count)
    }
    func reset(_ operation: String, of object: Object) {}
}

@inline(never) func blackHole(_ number: Int) {}

func nanoseconds(times: Int, _ body: () async throws -> Void) async rethrows -> Int {
    try await body()
    let start = ContinuousClock.now
    for _ in 0..<times { try await body() }
    let took = ContinuousClock.now - start
    let parts = took.components
    return Int(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000) / times
}

/// Memory that is not shared with files (proc_pid_status(5)).
func memory() throws -> Int {
    let status = try OpenFile.open("/proc/self/status").read(count: 8192, at: 0)
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
}

/// Reads each value of a skin in its Swift type, and returns how many there are.
func values(_ skin: ResolvedSkin) -> Int {
    var (count, sum) = (0, 0)
    for entity in skin.entities {
        for operation in entity.operations {
            for parameter in operation.parameters {
                let value = parameter.value
                if let color = value.value(as: .color) {
                    sum &+= Int(color.red) + Int(color.blue)
                } else if let font = value.value(as: .font) {
                    sum &+= font.family.utf8.count + Int(font.size) + font.weight
                } else if let number = value.value(as: .float) {
                    sum &+= Int(number)
                } else {
                    fatalError("a value has another type: \(value)")
                }
                count += 1
            }
        }
    }
    blackHole(sum)
    return count
}

func load(_ mode: String, _ skins: String, _ cache: String, _ identifier: String, times: Int) async throws {
    let found = SkinFinder(purchased: skins, preinstalled: [skins]).find()
    let chain = try SkinDirectory.chain(of: identifier) { found.skins[$0] }
    let (reader, compiled) = (SkinReader(), CompiledSkins(directory: cache))
    if mode != "xml" { _ = try compiled.compile(chain, for: .desktop) }
    var last: ResolvedSkin?
    let took = try await nanoseconds(times: times) {
        switch mode {
        case "xml": last = try reader.read(chain, for: .desktop).skin
        case "compiled":
            let loaded = try compiled.load(chain, for: .desktop)
            guard loaded.wasCompiled else { exit(1) }
            last = loaded.skin
        default: blackHole(try values(compiled.load(chain, for: .desktop).skin))
        }
    }
    let used = try memory()
    let skin = try last ?? compiled.load(chain, for: .desktop).skin
    print(took, values(skin), used)
}

func change(_ skins: String, _ cache: String, _ one: String, _ other: String, count: Int, times: Int) async throws {
    let manager = SkinsManager(
        SkinsManager.Settings(
            finder: SkinFinder(purchased: skins, preinstalled: [skins]), defaultSkin: one, compiledDirectory: cache,
            choiceFile: cache + "/choice.json"))
    await manager.start()
    let identifiers = manager.skin.identifiers
    let objects = (0..<count).map { _ in Object() }
    for (number, object) in objects.enumerated() {
        let identifier = identifiers[number % identifiers.count]
        let component = manager.skin[identifier]?.component ?? ""
        manager.apply(identifier, to: object, as: component, on: MainActor.shared, with: Counting())
    }
    var isOther = false
    let took = try await nanoseconds(times: times) {
        isOther.toggle()
        try await manager.use(isOther ? other : one)
    }
    print(took, manager.objectCount)
    withExtendedLifetime(objects) {}
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("xml"?, 5), ("compiled"?, 5), ("values"?, 5):
        try await load(arguments[0], arguments[1], arguments[2], arguments[3], times: Int(arguments[4]) ?? 1)
    case ("objects"?, 7):
        try await change(
            arguments[1], arguments[2], arguments[3], arguments[4], count: Int(arguments[5]) ?? 1,
            times: Int(arguments[6]) ?? 1)
    default:
        print(usage, terminator: "")
        exit(2)
    }
} catch {
    print("\(error)")
    exit(1)
}
