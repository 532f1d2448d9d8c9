import Foundation
import StoreTestSupport

/// A browser of a desktop session that only notes the addresses which it is asked to open.
final class DesktopBrowser: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let program = folder.path + "/xdg-open"
        try Data("#!/bin/sh\nprintf '%s\\n' \"$1\" >>'\(folder.path)/opened'\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }

    /// The variables of the desktop session.
    var environment: [String: String] {
        ["DISPLAY": ":1", "PATH": folder.path + ":/usr/sbin:/usr/bin:/sbin:/bin"]
    }

    /// The addresses that the browser was asked to open, in order.
    var opened: [String] {
        ((try? String(contentsOfFile: folder.path + "/opened", encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }
}
