import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// This repository's script for WeeChat, in the real program.
@Suite(
    .hangGuard, .needs(WeeChat.program, debian: "weechat-headless"),
    .needs("/usr/share/doc/weechat-python/copyright", debian: "weechat-python"))
struct WeeChatScriptTests {
    private let store: HeldStore
    private let server: ChatServer
    private let home: TestHome

    init() async throws {
        (store, server, home) = (try await HeldStore(), try await ChatServer(), try TestHome())
        try await store.add(to: home)
    }

    @Test func `stickers are found, installed, sent, and shown to somebody who does not have them`() async throws {
        let receiver = try TestHome()
        try await store.add(to: receiver)
        let bob = try await WeeChat(receiver, nick: "bob", server: server)
        let alice = try await WeeChat(home, nick: "alice", server: server)
        let stickers = WeeChat.stickers

        try await alice.run("/stickers search cup")
        try await alice.line(stickers, "^org.example.cups Cups, free")
        // The buffer's input line takes the same commands.
        try await alice.run("install org.example.cups", in: stickers)
        try await alice.line(stickers, #"org.example.cups \[█{9,10} +\] +\d\d % transferring"#)
        // The chat goes on meanwhile.
        try await alice.run("hello")
        try await bob.line(WeeChat.chat, "^alice hello$")
        try await store.release(in: home)
        try await alice.line(stickers, #"org.example.cups \[█{20}\] 100 % Finished"#)
        #expect(try alice.lines(stickers).count { $0.contains("%") } == 1, "the progress has one line")
        try await alice.run("list", in: stickers)
        try await alice.line(stickers, "^org.example.cups Cups: :smile: 🙂 :nick: /nick mallory")
        // Nobody would get a sticker from there.
        for command in ["/buffer \(stickers)", "/input insert send :smile:", "/input return"] {
            try await alice.run(command, in: stickers)
        }
        try await alice.line(stickers, "'send' needs a conversation$")
        let sent = try await home.must("stickers", "recents", "--json").json["stickers"]?.elements
        #expect(sent?.isEmpty == true)

        let requests = store.origin.requests.count
        for command in ["/buffer \(WeeChat.chat)", "/input insert look :smi", "/input complete_next"] {
            try await alice.run(command)
        }
        try await alice.input(WeeChat.chat, "look :smile: ")
        try await alice.run("/input return")
        let path = home.path + "/data/packs/org.example.cups.stickers/1.gif"
        try await alice.line(WeeChat.chat, "^alice look 🙂 file://\(path) $")
        try await alice.input(WeeChat.chat, "")
        try await bob.line(WeeChat.chat, #"^alice look 🙂 \[a sticker of Cups; to see it: /stickers fetch\]$"#)
        #expect(store.origin.requests.count == requests, "a reference makes no request")
        let recents = try await home.must("stickers", "recents", "--json").json["stickers"]?.elements
        #expect(recents?.map { $0["sticker"]["id"].text } == ["smile"])

        // What a pack calls an emoji is not executed as a command.
        try await alice.run("/stickers send :nick:")
        try await bob.line(WeeChat.chat, #"^alice +/nick mallory \[a sticker of Cups"#)
        try await alice.run("/stickers send :smile:")
        try await bob.line(WeeChat.chat, #"^alice 🙂 \[a sticker of Cups"#)

        try await bob.run("/stickers fetch")
        let shown = try await bob.line(WeeChat.chat, "^ *🙂 file:///")
        let file = try #require(shown.components(separatedBy: "file://").last)
        #expect(FileManager.default.contents(atPath: file) == HeldStore.smile)
        #expect(try await receiver.packs().isEmpty, "only the sticker was fetched")
    }

    @Test func `an installation is cancelled, and errors have a reason and a hint`() async throws {
        let alice = try await WeeChat(home, nick: "alice", server: server)
        let stickers = WeeChat.stickers
        try await alice.run("/stickers install org.example.cups")
        try await alice.line(stickers, "% transferring")
        try await alice.run("/stickers cancel org.example.cups")
        try await alice.line(stickers, "org.example.cups .*Cancelled$")
        try await alice.run("/stickers install org.example.dogs")
        try await alice.line(stickers, "there is no product 'org.example.dogs' in 'shop'$")
        try await alice.line(stickers, "hint: find products with 'storectl search'$")
        try await alice.run("/stickers juggle")
        try await alice.line(stickers, "'/stickers juggle' is unknown or incomplete$")
        try await alice.run("/stickers send :dog:")
        try await alice.line(WeeChat.chat, "there is no sticker :dog:$")
    }

    @Test func `a pack whose name has no language is listed`() async throws {
        let pack = home.path + "/data/packs/nameless.stickers"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try #"{"name":{}}"#.write(toFile: pack + "/pack.json", atomically: true, encoding: .utf8)
        try HeldStore.smile.write(to: URL(filePath: pack + "/smile.gif"))
        let alice = try await WeeChat(home, nick: "alice", server: server)
        try await alice.run("/stickers list")
        try await alice.line(WeeChat.stickers, "^nameless : :smile:")
        try await alice.line(WeeChat.stickers, "^ *Installed sticker packs: 1")
    }

    @Test func `a text that only looks like a sticker remains text, and a stopped daemon is started by a command`()
        async throws
    {
        let bob = try await WeeChat(home, nick: "bob", server: server)
        let alice = try await WeeChat(TestHome(), nick: "alice", server: server)
        try await home.must("daemon", "stop")
        try await alice.run("see sticker1~a~b and sticker9~c")
        try await bob.line(WeeChat.chat, "^alice see sticker1~a~b and sticker9~c$")
        #expect(home.daemonPID == nil, "a message does not start the daemon")
        try await bob.run("/stickers search")
        try await bob.line(WeeChat.stickers, "Sticker packs found: 1")
        try await alice.run("and sticker1~d")
        try await bob.line(WeeChat.chat, "^alice and sticker1~d$")
    }

    @Test func `installing with progress takes ten lines of the script`() throws {
        let script = try String(contentsOfFile: FrontEndFiles.stickers, encoding: .utf8)
        let function = try #require(
            script.components(separatedBy: "\n\n\n").first { $0.hasPrefix("async def install(") })
        #expect(function.split(separator: "\n").count <= 10, "\(function)")
    }
}
