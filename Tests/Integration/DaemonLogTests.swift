import Foundation
import StoreTestSupport
import Testing

/// Tests the log of the daemon.
@Suite(.hangGuard) struct DaemonLogTests {
    @Test func `the log level can be changed at run time, and each message is one line`() async throws {
        let store = try await TestStore()
        for product in ["quiet", "loud", "hushed"] {
            try await store.add(product, files: ["01.webp": TestStore.bytes(100, seed: 1)])
        }
        try await store.publish()
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("config", "set", "log.level", "error")
        await home.killDaemon(SIGTERM)
        // Started by the test, because nobody reads the log of a daemon that `storectl` starts.
        let daemon = try Programs.start("stored", ["--home", home.path], environment: home.environment)
        while home.daemonPID != daemon.pid { try await Task.sleep(for: .milliseconds(5)) }

        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "quiet")
        try await home.must("config", "set", "log.level", "info")
        try await home.must("install", "loud")
        try await home.must("config", "set", "log.level", "critical")
        try await home.must("install", "hushed")
        await home.killDaemon(SIGTERM)
        let result = try await daemon.result()
        #expect(result.exit == 0)
        let lines = result.errors.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let form = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z [a-z]+ .*?( [a-z]+=("([^"\\]|\\.)*"|[^ "]+))*/
            #expect(line.wholeMatch(of: form) != nil, "\(line)")
            #expect(line.contains(" product=loud"), "\(line)")
        }
        #expect(lines.contains { $0.contains(" info ") && $0.contains(" operation=") })
    }
}
