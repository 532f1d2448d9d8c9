public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Skins

    /// The skins that are there, and which is in use.
    public func skins() async throws -> SkinList { try await get(Resource("skins")) }

    /// Which skin is in use.
    public func skinInUse() async throws -> SkinUse { try await get(Resource("skin")) }

    /// What a skin says, with everything that it inherits.
    ///
    /// - Parameter idiom: `phone`, `tablet` or `desktop`; the setting's where it is `nil`.
    public func skin(_ identifier: String, idiom: String? = nil) async throws -> SkinValues {
        try await get(Resource("skins", identifier).with("idiom", idiom))
    }

    /// Uses a skin from now on; the answer comes when it is applied.
    ///
    /// - Parameter identifier: `nil` is the default.
    public func useSkin(_ identifier: String?) async throws -> SkinUse {
        guard let identifier else { return try await ask("DELETE", Resource("skin")) }
        return try await ask("PUT", Resource("skin"), body: SkinRequest(identifier: identifier))
    }

    /// What a skin's style sheet is for.
    public enum StyleSheet: String, Sendable {
        /// Web pages.
        case css
        /// GTK 3 and 4.
        case gtk
    }

    /// A skin as a style sheet, whose images are files of this machine.
    ///
    /// - Parameter idiom: as for ``skin(_:idiom:)``.
    /// - Returns: CSS, in UTF-8.
    public func skinStyleSheet(
        _ identifier: String, for kind: StyleSheet, idiom: String? = nil
    ) async throws -> Data {
        let resource = Resource("skins", identifier, kind.rawValue).with("idiom", idiom)
        return try await exchange("GET", kind == .css ? resource.with("assets", "files") : resource).body
    }

    /// Looks at a skin in a folder of this machine, whether or not it is installed.
    ///
    /// - Parameter folder: absolute.
    /// - Returns: what of it is not understood.
    public func checkSkin(inFolder folder: String) async throws -> SkinReport {
        try await ask("POST", Resource("skin", "check"), body: SkinCheckRequest(folder: folder))
    }

    /// Makes the compiled form of a skin anew, which the daemon does by itself when something has changed.
    ///
    /// - Returns: what was not understood and left out.
    public func compileSkin(_ identifier: String) async throws -> SkinReport {
        try await ask("POST", Resource("skins", identifier, "compile"))
    }
}
