public import StoreModel

extension Messages {
    /// Returns what a permission lets a plugin do, for display.
    public func meaning(of permission: Permission) -> String {
        switch permission {
        case .code: text("run its own program within the chat application")
        case Permission(rawValue: "contacts"): text("read the contacts")
        case Permission(rawValue: "files"): text("read and write files")
        case Permission(rawValue: "messages.read"): text("read messages")
        case Permission(rawValue: "messages.send"): text("send messages")
        case Permission(rawValue: "microphone"): text("listen through the microphone")
        case Permission(rawValue: "camera"): text("see through the camera")
        case Permission(rawValue: "location"): text("learn the location")
        case Permission(rawValue: "network"): text("use the network")
        case Permission(rawValue: "notifications"): text("show notifications")
        default:
            text(
                "'{permission}', as the chat application understands it",
                ["permission": permission.rawValue.displayable])
        }
    }
}
