import Foundation
import StoreTestSupport
import Testing

/// A clean user's session in which the shell commands of the README are run, in namespaces of their own.
///
/// In there `https://store.example/` is a store that nginx serves on loopback, with a certificate that the machine trusts,
/// and every port is free.
struct ReadmeSession {
    let folder: TemporaryFolder
    private let environment: [String: String]

    /// The directory in which the commands are run.
    var directory: String { folder.path + "/work" }

    /// Prepares the session of a user with packs to publish.
    init() throws {
        folder = try TemporaryFolder()
        let environment = [
            "HOME": folder.path + "/home", "XDG_RUNTIME_DIR": folder.path + "/run", "LC_ALL": "C.UTF-8",
            "PATH": Programs.folder + ":/usr/sbin:/usr/bin:/sbin:/bin", "STORECTL_DAEMON_IDLE_TIMEOUT": "60",
        ]
        self.environment = environment.merging(Sanitizers.environment) { $1 }
        for name in ["home", "run", "work"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        for (name, size) in [("cups", 300_000), ("cats", 2000), ("atlas", 4_000_000)] {
            try put("work/packs/\(name)/01.webp", TestStore.bytes(size, seed: UInt64(size)))
            let sticker = #"{"id":"smile","file":"01.webp"}"#
            let information =
                #"{"productIdentifier":"org.example.\#(name)","name":"\#(name)","stickers":[\#(sticker)]}"#
            try put("work/packs/\(name)/pack.json", Data(information.utf8))
        }
        try put("weather/README.txt", Data("Sun\n".utf8))
        try put("weather/pack.json", Data(#"{"permissions":["code","network"]}"#.utf8))
    }

    private func put(_ path: String, _ content: Data) throws {
        let file = URL(filePath: folder.path + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    /// Runs blocks of commands in one session, one after the other, each in a shell that stops at the first failure.
    ///
    /// - Returns: the result of the session, which fails with the first block that fails.
    func run(_ blocks: [String]) async throws -> Programs.Result {
        for (number, block) in blocks.enumerated() { try put("blocks/\(100 + number)", Data(block.utf8)) }
        return try await Programs.run(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "--net", "/bin/bash", "-euc", Self.script, "bash", folder.path],
            environment: environment)
    }

    private static let script = """
        folder=$1
        cd "$folder"
        printf '127.0.0.1 localhost store.example\\n' >hosts
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=store.example \\
            -addext subjectAltName=DNS:store.example -keyout key.pem -out certificate.pem 2>openssl.log
        mount --bind hosts /etc/hosts
        mount --bind certificate.pem /etc/ssl/certs/ca-certificates.crt
        ip link set lo up

        # publish VERSION PACK...: publishes packs.
        publish() {
            storehouse add store --version "$@" >>publish.log
            storehouse publish store >>publish.log
        }
        export STOREHOUSE_PASSPHRASE='secret words'
        storehouse init store --sign >publish.log
        storehouse add store weather --id org.example.weather --kind plugin >>publish.log
        publish 1.0.0 work/packs/cups work/packs/cats work/packs/atlas
        echo cups >store/public/cups.txt
        cp store/public/metadata/1.root.json work/root.json
        (cd work/packs/cups; zip -qr ../../pack.zip .)
        (cd work/packs/cats; zip -q ../../my-pack.zip 01.webp)

        # The atlas alone is so large that its download does not end during the test.
        cat >nginx.conf <<END
        daemon off; user root; pid $folder/pid; worker_processes 1;
        events { worker_connections 64; }
        http {
          access_log off; client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f;
          uwsgi_temp_path $folder/u; scgi_temp_path $folder/s;
          server {
            listen 127.0.0.1:443 ssl; root $folder/store/public;
            ssl_certificate $folder/certificate.pem; ssl_certificate_key $folder/key.pem;
            limit_rate_after 1m; limit_rate 4k;
          }
        }
        END
        nginx -p "$folder" -e "$folder/error.log" -c "$folder/nginx.conf" &
        nginx=$!
        trap 'storectl daemon stop >/dev/null 2>&1 || true; kill $nginx' EXIT
        until curl -sf -o catalogue.json https://store.example/catalogue.json; do kill -0 $nginx; sleep 0.05; done

        cd work
        for block in "$folder"/blocks/*; do
            # What the update finds.
            ! grep -q '^storectl update ' "$block" || (cd ..; publish 1.1.0 work/packs/cups work/packs/cats)
            echo "== $(head -n 1 "$block")"
            case $(tail -n 1 "$block") in
            'storehouse serve '*)
                # Runs until Ctrl-C.
                setsid bash -euo pipefail "$block" &
                shell=$!
                until curl -sf -o /dev/null http://127.0.0.1:8000/catalogue.json; do kill -0 $shell; sleep 0.05; done
                kill -- -$shell
                ;;
            *) bash -euo pipefail "$block" ;;
            esac
        done
        storectl list --json >list.json
        storectl skin list --json >skins.json
        """
}
