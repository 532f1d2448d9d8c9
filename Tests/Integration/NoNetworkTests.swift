import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Runs a daemon in a network namespace that has only loopback at first, and a network later.
@Suite(.hangGuard) struct NoNetworkTests {
    /// One script for the whole test, because all of it must run in the namespace.
    ///
    /// `$1` is the directory of the programs.
    private static let script = """
        set -eu
        PATH=$1:$PATH
        folder=$2
        # Until a command's output has a text.
        until_has() {
            text=$1
            shift
            until "$@" | grep -q -- "$text"; do sleep 0.05; done
        }
        ip link set lo up
        cd "$folder"
        python3 -m http.server --bind 0.0.0.0 8080 >server.log 2>&1 &
        server=$!
        trap 'storectl daemon stop >/dev/null 2>&1; kill $server' EXIT
        until_has store.invalid sh -c 'curl -s http://127.0.0.1:8080/catalogue.json || true'
        storectl store add shop http://127.0.0.1:8080/ --unsigned >/dev/null
        storectl store add mirrors http://127.0.0.1:8080/mirrors/ --unsigned >/dev/null
        storectl install far named --no-wait >/dev/null
        until_has '"reason":"waiting for the network".*"reason":"waiting for the network"' storectl downloads --json
        # What may come from elsewhere, too, does not wait for a host that others wait for.
        storectl install mirrored >/dev/null
        # What needs no way out is not held up.
        storectl install near >/dev/null
        storectl downloads --json >missing.json
        # It survives a restart, and waits again.
        storectl daemon stop >/dev/null
        until_has '"reason":"waiting for the network".*"reason":"waiting for the network"' storectl downloads --json
        storectl cancel named >/dev/null
        ip addr add 10.98.76.54/32 dev lo
        storectl install far >/dev/null
        storectl history far --json >history.json
        """

    @Test func `the queue waits without using up attempts, and drains when there is a network`() async throws {
        let folder = try TemporaryFolder()
        let archive = StoreDocuments.pack()
        try Data(archive).write(to: URL(filePath: folder.path + "/pack.zip"))
        func product(_ identifier: String, at host: String) -> [String: Any] {
            [
                "productIdentifier": identifier, "productName": identifier, "productType": "sticker",
                "productResourceURL": "http://\(host):8080/pack.zip", "productResourceSize": archive.count,
            ]
        }
        let catalogue = StoreDocuments.json([
            product("far", at: "10.98.76.54"), product("named", at: "store.invalid"), product("near", at: "127.0.0.1"),
        ])
        try Data(catalogue).write(to: URL(filePath: folder.path + "/catalogue.json"))
        let mirrored = StoreDocuments.product(
            "mirrored", archive: archive, at: "http://10.98.76.54:8080/pack.zip",
            with: ["mirrors": ["http://127.0.0.1:8080/pack.zip"]])
        for (name, document) in StoreDocuments.formatTwo([mirrored]) {
            let place = URL(filePath: folder.path + "/mirrors/" + name)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(document).write(to: place)
        }
        // A single attempt, so that any counted failure would end the download.
        let home = try TestHome(settings: [
            "STORECTL_DOWNLOADS_ATTEMPTS": "1", "STORECTL_CATALOGUE_REFRESH_AFTER": "3600",
        ])
        let result = try await Programs.run(
            "/usr/bin/unshare",
            ["--map-root-user", "--net", "/bin/sh", "-c", Self.script, "sh", Programs.folder, folder.path],
            environment: home.environment)
        try #require(result.exit == 0, "a network namespace is needed, and what runs in it must go well: \(result)")
        func document(_ name: String) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(filePath: folder.path + "/" + name)))
        }
        let downloads = try document("missing.json")["downloads"].elements
        let waiting = downloads.filter { $0["reason"].text == "waiting for the network" }
        #expect(waiting.compactMap { $0["productIdentifier"].text }.sorted() == ["far", "named"])
        #expect(waiting.allSatisfy { $0["activity"].text == "waiting" && $0["error"] == .null })
        #expect(downloads.last?["productIdentifier"].text == "near" && downloads.last?["state"].text == "Finished")
        let brought = downloads.first { $0["productIdentifier"].text == "mirrored" }
        #expect(brought?["state"].text == "Finished" && brought?["attempt"].number == 1)
        let history = try document("history.json")["operations"].elements
        #expect(history.map { $0["end"].text } == ["finished"])
    }
}
