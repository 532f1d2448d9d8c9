import FoundationEssentials
import StoreSystem

/// A namespace for opening an address in the user's browser.
enum BrowserLauncher {
    /// Opens an address in the browser of the user's desktop session, with xdg-open(1).
    ///
    /// The address is visible to other users in the list of processes. A one-time link is of no use to them: the web
    /// listener accepts only connections of its own user.
    ///
    /// - Returns: whether a browser was asked to open it; `false` without a desktop session.
    static func open(_ address: String) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil,
            let program = InstalledProgram.find("xdg-open", environment: environment),
            let errors = try? Directory.open("/dev").openFile("null"),
            let process = try? DetachedProcess.start([program.path, address], errors: errors)
        else { return false }
        process.release()
        return true
    }
}
