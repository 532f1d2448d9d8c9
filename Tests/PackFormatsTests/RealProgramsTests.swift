import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Compares exports with what the programs that they are for read of them.
///
/// `scripts/test` installs the programs.
@Suite struct RealProgramsTests {
    private static let root = DocumentedErrorCodes.sources.deletingLastPathComponent().path
    private static let deltaChat = root + "/.build/deltachat/bin/deltachat-rpc-server"
    private static let pidgin = "/usr/bin/pidgin"
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

    @Test(.enabled(if: FilePaths.isExecutable(deltaChat), "Delta Chat's core is missing (PyPI: deltachat-rpc-server)"))
    func `Delta Chat lists exactly the exported files, and sends one as a sticker`() async throws {
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
                        if "error" in answer:
                            sys.exit(method + ": " + json.dumps(answer["error"]))
                        return answer.get("result")
            accounts = call("get_all_account_ids")
            account = accounts[0] if accounts else call("add_account")
            answer = {"folder": call("misc_get_sticker_folder", account), "stickers": call("misc_get_stickers", account)}
            if len(sys.argv) > 2:
                # An account that is set up without a server: what it sends waits for the network.
                if not call("is_configured", account):
                    for name in "addr", "configured_addr":
                        call("set_config", account, name, "me@example.org")
                    call("set_config", account, "configured", "1")
                chat = call("create_chat_by_contact_id", account, 1)
                sent = call("send_sticker", account, chat, sys.argv[2])
                answer["message"] = call("get_message", account, sent)
            print(json.dumps(answer))
            server.kill()
            """)
        let environment = ["DC_ACCOUNTS_PATH": folder.path + "/accounts"]
        struct Answer: Decodable {
            struct Message: Decodable {
                let viewType: String
                let file: String
                let state: Int
            }
            let folder: String
            let stickers: [String: [String]]
            let message: Message?
        }
        func ask(sending sticker: String? = nil) async throws -> Answer {
            let arguments = [folder.path + "/client.py", Self.deltaChat] + [sticker].compactMap(\.self)
            let text = try await run("/usr/bin/python3", arguments, environment)
            return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        }
        let before = try await ask()
        #expect(before.stickers.isEmpty)
        var directory = try ExportDirectory(before.folder)
        let report = try directory.export(pack(), as: DeltaChatFormat())
        let listed = try await ask().stickers
        #expect(listed.keys.sorted() == ["Wetter & Söhne"])
        #expect(
            listed.values.flatMap { $0 }.sorted() == report.files.map { before.folder + "/" + $0 }.sorted())
        for file in report.files {
            let path = before.folder + "/" + file
            let message = try #require(await ask(sending: path).message)
            // 20: to be sent.
            #expect(message.viewType == "Sticker" && message.state == 20, "\(file): \(message)")
            #expect(FileManager.default.contentsEqual(atPath: message.file, andPath: path), "\(file)")
        }
        _ = try directory.remove("org.example.real", format: "deltachat")
        #expect(try await ask().stickers.isEmpty)
    }

    @Test(.needs(pidgin, debian: "pidgin"))
    func `Pidgin's parser reads an exported theme with the same images and texts`() async throws {
        // Pidgin's parser is in its program. A library that is loaded before it takes the place of the function that would
        // look for a display, and calls the parser; nothing of GTK is needed for it.
        try folder.directory.put(
            "list.c",
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>

            struct list { void *data; struct list *next; };
            /* The first members of GtkIMHtmlSmiley. */
            struct smiley { char *text; char *file; };

            int gtk_init_check(int *count, char ***arguments) {
                void (*load)(const char *, int) = dlsym(RTLD_DEFAULT, "pidgin_themes_load_smiley_theme");
                struct list *(*smileys)(const char *) = dlsym(RTLD_DEFAULT, "pidgin_themes_get_proto_smileys");
                if (!load || !smileys) _exit(3);
                load(getenv("THEME"), 1);
                for (struct list *next = smileys(NULL); next; next = next->next) {
                    struct smiley *smiley = next->data;
                    printf("%s\\t%s\\n", smiley->file, smiley->text);
                }
                fflush(stdout);
                _exit(0);
            }
            """)
        _ = try await run(
            "/usr/bin/gcc", ["-shared", "-fPIC", "-o", folder.path + "/list.so", folder.path + "/list.c", "-ldl"])
        let themes = try TemporaryFolder()
        var directory = try ExportDirectory(themes.path)
        let pack = try awkwardPack()
        let report = try directory.export(pack, as: PidginFormat())
        let root = themes.path + "/" + (report.files.first?.split(separator: "/").first.map(String.init) ?? "")
        let output = try await run(
            Self.pidgin, [], ["LD_PRELOAD": folder.path + "/list.so", "THEME": root + "/theme", "LC_ALL": "C.UTF-8"])
        let listed = output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        var found: [Data: Set<String>] = [:]
        for entry in listed {
            let image = try #require(FileManager.default.contents(atPath: entry[0]), "\(entry)")
            found[image, default: []].insert(entry[1])
        }
        let expected = try pack.pack.stickers.map { (try pack.directory.read($0.file), Set($0.shortcuts)) }
        #expect(found == Dictionary(uniqueKeysWithValues: expected))
        #expect(listed.count == pack.pack.stickers.map(\.shortcuts.count).reduce(0, +))
    }

    /// A pack whose names and texts a theme of Pidgin can't hold as they are.
    private func awkwardPack() throws -> ExportedPack {
        let long = String(repeating: "ä", count: 60)
        let names = ["#1.png", "[a].png", "Name=x.png", "a b.png", "a_b.png", "\(long).png"]
        let stickers = try names.enumerated().map { number, name in
            try folder.directory.put("pack/\(name)", Data(ImageForge.png(number + 1, 9)))
            let texts = ["\\o/", "<\(number)", ":-\\", "[\(number)]"] + (1...40).map { ":\(number)-\($0):" }
            return Sticker(id: "\(number)", file: name, emoji: ["🙂"], keywords: texts)
        }
        return ExportedPack(
            StickerPack(
                productIdentifier: "org.example.awkward", name: LocalizedText("Wetter & Söhne \(long)\(long)"),
                publisher: "Jane",
                path: folder.path + "/pack", cover: names[1], stickers: stickers),
            in: try folder.directory.openDirectory("pack"))
    }

    @Test(.needs(emoticonHeaders, debian: "libkf5emoticons-dev"))
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
