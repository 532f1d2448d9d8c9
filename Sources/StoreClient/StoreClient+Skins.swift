public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Skins

    /// Returns the available skins and which one is in use.
    public func skins() async throws -> SkinList { try await get(Resource("skins")) }

    /// Returns which skin is in use.
    public func skinInUse() async throws -> SkinUse { try await get(Resource("skin")) }

    /// Returns the values of a skin, inherited ones included.
    ///
    /// - Parameter idiom: `phone`, `tablet` or `desktop`; `nil` for the one in the settings.
    public func skin(_ identifier: String, idiom: String? = nil) async throws -> SkinValues {
        try await get(Resource("skins", identifier).with("idiom", idiom))
    }

    /// Sets the skin in use, and returns when it is applied.
    ///
    /// - Parameter identifier: the skin; `nil` for the default skin.
    public func useSkin(_ identifier: String?) async throws -> SkinUse {
        guard let identifier else { return try await ask("DELETE", Resource("skin")) }
        return try await ask("PUT", Resource("skin"), body: SkinRequest(identifier: identifier))
    }

    /// The toolkit that a skin's style sheet is written for.
    public enum StyleSheet: String, Sendable {
        /// Web pages.
        case css
        /// GTK 3 and 4.
        case gtk
    }

    /// Returns a skin as a style sheet, whose images are files of this machine.
    ///
    /// - Parameter idiom: as for ``skin(_:idiom:)``.
    /// - Returns: CSS, in UTF-8.
    public func skinStyleSheet(
        _ identifier: String, for kind: StyleSheet, idiom: String? = nil
    ) async throws -> Data {
        let resource = Resource("skins", identifier, kind.rawValue).with("idiom", idiom)
        return try await exchange("GET", kind == .css ? resource.with("assets", "files") : resource).body
    }

    /// Checks a skin in a directory of this machine, installed or not.
    ///
    /// - Parameter folder: the directory's absolute path.
    /// - Returns: a report of what the skin contains that is not understood.
    public func checkSkin(inFolder folder: String) async throws -> SkinReport {
        try await ask("POST", Resource("skin", "check"), body: SkinCheckRequest(folder: folder))
    }

    /// Compiles a skin again, which the daemon does by itself after a change.
    ///
    /// - Returns: a report of what was not understood and left out.
    public func compileSkin(_ identifier: String) async throws -> SkinReport {
        try await ask("POST", Resource("skins", identifier, "compile"))
    }
}
