import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Compares exports with what the programs that they are for read of them.
///
/// `scripts/test` installs both programs.
@Suite struct RealProgramsTests {
    private static let root = DocumentedErrorCodes.sources.deletingLastPathComponent().path
    private static let deltaChat = root + "/.build/deltachat/bin/deltachat-rpc-server"
    private static let emoticonHeaders = "/usr/include/KF5/KEmoticons/KEmoticons"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A pack with images that decoders accept: this repository's own.
    private func pack() throws -> ExportedPack {
        let path = Self.root + "/Tests/Packs"
        let names = ["weather/01-sun.png", "weather/02-cloud.png", "faces/01-smile.webp", "faces/02-sad.webp"]
        let stickers = zip(names, [["☀️", "<sun>"], ["&", "☁️"], ["🙂", ":-)", "\\o/"], [":'("]]).map { name, texts in
            Sticker(id: name.stem, file: name, emoji: texts.filter(\.isEmoji), keywords: texts.filter { !$0.isEmoji })
        }
        return ExportedPack(
            StickerPack(
                productIdentifier: "org.example.real", name: "Wetter & Söhne", publisher: "Jane", path: path,
                cover: names[0],
                stickers: stickers), in: try Directory.open(path))
    }

    private func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) async throws
        -> String
    {
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        try? folder.directory.remove("output")
        let child = try ChildProcess(
            program, arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment) { $1 },
            output: output, errors: errors)
        let exit = await child.result()
        try #require(exit == 0, "\(program): \((try? folder.directory.text("errors")) ?? "")")
        return try folder.directory.text("output")
    }

    @Test(.enabled(if: FilePaths.isExecutable(deltaChat), "deltachat-rpc-server is not installed; see scripts/test"))
    func `Delta Chat lists exactly the exported files`() async throws {
        try folder.directory.put(
            "client.py",
            """
            import json, subprocess, sys
            server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            def call(method, *parameters):
                print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}), file=server.stdin, flush=True)
                while True:
                    answer = json.loads(server.stdout.readline())
                    if answer.get("id") == 1:
                        return answer["result"]
            accounts = call("get_all_account_ids")
            account = accounts[0] if accounts else call("add_account")
            print(json.dumps([call("misc_get_sticker_folder", account), call("misc_get_stickers", account)]))
            server.kill()
            """)
        let environment = ["DC_ACCOUNTS_PATH": folder.path + "/accounts"]
        struct Answer: Decodable {
            let stickerFolder: String
            let stickers: [String: [String]]
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                stickerFolder = try values.decode(String.self)
                stickers = try values.decode([String: [String]].self)
            }
        }
        func ask() async throws -> Answer {
            let text = try await run("/usr/bin/python3", [folder.path + "/client.py", Self.deltaChat], environment)
            return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        }
        let before = try await ask()
        #expect(before.stickers.isEmpty)
        var directory = try ExportDirectory(before.stickerFolder)
        let report = try directory.export(pack(), as: DeltaChatFormat())
        let listed = try await ask().stickers
        #expect(listed.keys.sorted() == ["Wetter & Söhne"])
        #expect(
            listed.values.flatMap { $0 }.sorted() == report.files.map { before.stickerFolder + "/" + $0 }.sorted())
        _ = try directory.remove("org.example.real", format: "deltachat")
        #expect(try await ask().stickers.isEmpty)
    }

    @Test(
        .enabled(if: FilePaths.isRegularFile(emoticonHeaders), "libkf5emoticons-dev is not installed; see scripts/test")
    )
    func `KEmoticons loads an exported theme with the same images and texts`() async throws {
        try folder.directory.put(
            "list.cpp",
            """
            #include <KEmoticons>
            #include <KEmoticonsTheme>
            #include <QGuiApplication>
            #include <QTextStream>

            int main(int argc, char **argv) {
                QGuiApplication application(argc, argv);
                KEmoticons emoticons;
                const auto map = emoticons.theme(QString::fromUtf8(argv[1])).emoticonsMap();
                QTextStream out(stdout);
                out.setCodec("UTF-8");
                for (auto entry = map.begin(); entry != map.end(); ++entry)
                    out << entry.key() << '\\t' << entry.value().join('\\t') << '\\n';
                return 0;
            }
            """)
        _ = try await run(
            "/bin/sh",
            [
                "-c",
                """
                cd "$HOME" && g++ -fPIC $(pkg-config --cflags Qt5Gui) $(for d in /usr/include/KF5/*/; do echo "-I$d"; done) \
                list.cpp -o list $(pkg-config --libs Qt5Gui) -lKF5Emoticons
                """,
            ])
        let data = folder.path + "/data"
        var directory = try ExportDirectory(data + "/emoticons")
        let pack = try pack()
        _ = try directory.export(pack, as: KDEFormat())
        let output = try await run(
            folder.path + "/list", ["Wetter & Söhne"],
            ["QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": data, "LC_ALL": "C.UTF-8"])
        let listed = output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        let files = Dictionary(uniqueKeysWithValues: listed.map { ($0[0].lastComponent, Set($0.dropFirst())) })
        let expected = pack.pack.stickers.map { ($0.file.lastComponent, Set($0.shortcuts)) }
        #expect(files == Dictionary(uniqueKeysWithValues: expected))
        for path in listed.map({ $0[0] }) { #expect(FilePaths.isRegularFile(path), "\(path)") }
    }
}
