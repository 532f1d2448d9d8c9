public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Skins

    /// Returns the available skins and the skin in use.
    public func skins() async throws -> SkinList { try await get(Resource("skins")) }

    /// Returns the skin in use, and the selected skin if it could not be applied.
    public func skinInUse() async throws -> SkinUse { try await get(Resource("skin")) }

    /// Returns all values of a skin, inherited ones included.
    ///
    /// - Parameter idiom: the device idiom: `phone`, `tablet` or `desktop`; `nil` for that of the settings.
    public func skin(_ identifier: String, idiom: String? = nil) async throws -> SkinValues {
        try await get(Resource("skins", identifier).with("idiom", idiom))
    }

    /// Makes a skin the one in use, and returns when it is applied.
    ///
    /// - Parameter identifier: the skin; `nil` for the default skin.
    public func useSkin(_ identifier: String?) async throws -> SkinUse {
        guard let identifier else { return try await ask("DELETE", Resource("skin")) }
        return try await ask("PUT", Resource("skin"), body: SkinRequest(identifier: identifier))
    }

    /// The toolkit (web or GTK) that a skin's style sheet is written for.
    public enum StyleSheet: String, Sendable {
        /// A skin's style sheet for web pages.
        case css
        /// A skin's style sheet for GTK 3 and 4.
        case gtk
    }

    /// Returns a skin as a CSS style sheet that refers to images by `file:` URLs of this machine.
    ///
    /// - Parameter idiom: as for ``skin(_:idiom:)``.
    /// - Returns: CSS, in UTF-8.
    public func skinStyleSheet(
        _ identifier: String, for kind: StyleSheet, idiom: String? = nil
    ) async throws -> Data {
        let resource = Resource("skins", identifier, kind.rawValue).with("idiom", idiom)
        let (styleSheet, _) = try await content(of: kind == .css ? resource.with("assets", "files") : resource)
        return styleSheet
    }

    /// Checks a skin in a directory of this machine, installed or not, and returns warnings about unknown parts.
    ///
    /// - Parameter folder: the directory's absolute path.
    /// - Returns: a warning for each part of the skin that is unknown.
    public func checkSkin(inFolder folder: String) async throws -> SkinReport {
        try await ask("POST", Resource("skin", "check"), body: SkinCheckRequest(folder: folder))
    }

    /// Compiles a skin again, which the daemon does by itself after a change of the skin's files.
    ///
    /// - Returns: a warning for each part of the skin that is unknown and was ignored.
    public func compileSkin(_ identifier: String) async throws -> SkinReport {
        try await ask("POST", Resource("skins", identifier, "compile"))
    }
}
