import Foundation
import StoreTestSupport

/// The sample front-ends of this repository.
enum FrontEndFiles {
    static let directory = DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: "config/front-ends")
    static let stickers = directory.appending(path: "weechat/stickers.py").path
    static let storeWindow = directory.appending(path: "gtk/store_window.py").path

    /// Returns the environment of a front-end: that of a home, with this build's programs in `PATH`.
    static func environment(_ home: TestHome, _ variables: [String: String] = [:]) -> [String: String] {
        let path = ["PATH": Programs.folder + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        return home.environment.merging(path) { $1 }.merging(variables) { $1 }
    }
}
