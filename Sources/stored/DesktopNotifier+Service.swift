public import StoreDesktop
import StoreMessages
import StoreModel
public import StoreServer
import StoreSystem

extension DesktopNotifier: DesktopService {
    /// Returns the function that connects the daemon to the desktop of the user's session; `nil` without a session.
    ///
    /// Only the daemon's program is linked with the library of the bus, and not the other programs that serve HTTP.
    static func connecting(_ environment: [String: String]) -> DesktopConnecting? {
        guard let address = SessionBusAddress.find(in: environment) else { return nil }
        let opener = InstalledProgram.find("xdg-open", environment: environment)?.path
        let language = Language(environment: environment)
        return { log, onReaction in
            do {
                return try DesktopNotifier(
                    bus: address, opener: opener, language: language, log: log, onReaction: onReaction)
            } catch {
                log.warning("notifications are off: \(error)")
                return nil
            }
        }
    }
}
