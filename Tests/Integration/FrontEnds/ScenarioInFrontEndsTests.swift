import Foundation
import StoreTestSupport
import Testing

/// This repository's front-ends with a scenario: a download that stalls, is refused by a busy server, and then succeeds.
///
/// Nothing happens before the test advances the clock of the scenario.
@Suite(.hangGuard) struct ScenarioInFrontEndsTests {
    private let home: TestHome
    private let player: ScenarioPlayer

    init() async throws {
        home = try TestHome()
        player = try ScenarioPlayer("stall-and-retry", home: home.path)
        try await player.listens()
    }

    @Test(
        .needs(WeeChat.program, debian: "weechat-headless"),
        .needs("/usr/share/doc/weechat-python/copyright", debian: "weechat-python"))
    func `WeeChat shows why a download waits, and that it goes on`() async throws {
        let server = try await ChatServer()
        let chat = try await WeeChat(home, nick: "alice", server: server)
        try await chat.run("/stickers install org.example.cups")
        let progress = #"org\.example\.cups \["#
        try await chat.line(WeeChat.stickers, progress + #".*  0 % "#)
        try player.advance(1)
        try await chat.line(WeeChat.stickers, progress + #"█{8} +\] +40 % transferring$"#)
        try player.advance(10)
        try await chat.line(WeeChat.stickers, progress + #"█{8} +\] +40 % .*stalled: less than 1 byte in 10 s$"#)
        try player.advance(60)
        try await chat.line(WeeChat.stickers, progress + #"█{20}\] 100 % Finished$"#)
        #expect(try chat.lines(WeeChat.stickers).count { $0.contains("%") } == 1, "the progress has one line")
        withExtendedLifetime(server) {}
        try await player.finish()
    }

    @Test(
        .needs("/usr/bin/Xvfb", debian: "xvfb"), .needs("/usr/bin/xdotool", debian: "xdotool"),
        .needs("/usr/bin/dbus-daemon", debian: "dbus-daemon"),
        .needs("/usr/libexec/at-spi-bus-launcher", debian: "at-spi2-core"),
        .needs("/usr/share/doc/gir1.2-atspi-2.0/copyright", debian: "gir1.2-atspi-2.0"),
        .needs("/usr/share/doc/gir1.2-gtk-4.0/copyright", debian: "gir1.2-gtk-4.0"),
        .needs("/usr/share/doc/python3-gi/copyright", debian: "python3-gi"))
    func `the window in GTK shows a download that another program began, and why it waits`() async throws {
        let window = try await StoreWindow(home)
        try await window.shows("push button", "^Install Cups$")
        // The scenario installs the product after a second.
        try player.advance(2)
        try await window.shows("label", "^transferring, 40%")
        try player.advance(10)
        try await window.shows("label", "stalled: less than 1 byte in 10 s, 40%")
        try player.advance(60)
        try await window.shows("push button", "^Remove Cups$")
        #expect(window.errors.isEmpty, "\(window.errors)")
        try await player.finish()
    }
}
