import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ConsentTests {
    private let home: EngineHome
    private let store: FileStore
    private static let network = Permission(rawValue: "network")
    private static let files = Permission(rawValue: "files")

    init() throws {
        home = try EngineHome()
        store = try FileStore(Self.plugin("weather", asking: ["network"]), .init("cups"))
    }

    /// Returns a plugin with permissions, which its store lists or not.
    private static func plugin(_ identifier: String, asking: [String], isListed: Bool = true) -> FileStore.Product {
        var product = FileStore.Product(identifier, information(asking), type: "plugin")
        product.permissions = isListed ? asking : []
        return product
    }

    private static func information(_ asking: [String]) -> [String: String] {
        ["pack.json": #"{"permissions":[\#(asking.map { "\"\($0)\"" }.joined(separator: ","))]}"#]
    }

    private func ask(_ identifier: String, for asking: [String], isListed: Bool = true) throws {
        store[identifier].files = Self.information(asking)
        store[identifier].permissions = isListed ? asking : []
        store[identifier].archive = UUID().uuidString + ".zip"
        try store.publish()
    }

    @Test func `a product with permissions is not installed without consent to all of them`() async throws {
        let manager = try await home.open(using: store)
        for consent in [[], [Self.network], [.code]] as [Set<Permission>] {
            do {
                _ = try await manager.installs.install("weather", store: nil, consent: Consent(consent))
                Issue.record("installed with \(consent)")
            } catch {
                let report = ErrorReport(error)
                #expect(report.code == .consentNeeded && report.code.exitCode == .refused)
                #expect(Set(report.permissions) == Set([.code, Self.network]).subtracting(consent))
                #expect(report.hint?.contains("--consent \(report.permissions.words)") == true)
            }
        }
        #expect(await manager.downloads.all().isEmpty)
        #expect(try await manager.history.operations().isEmpty)
        #expect(try await manager.installed("weather", consent: [.code, Self.network]).state == .finished)
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        // A product without permissions is installed despite a consent, and gets no permission from it.
        #expect(try await manager.installed("cups", consent: [.code]).state == .finished)
        #expect(try await manager.packs.pack("cups").permissions.isEmpty)
        await manager.close()
    }

    @Test func `the details of a pack whose store was removed have its permissions`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("weather", consent: [.code, Self.network])
        try await manager.stores.remove("main")
        let overview = try await manager.products.product("weather", store: nil, languages: [])
        #expect(overview.product.permissions == [Self.network])
        #expect(overview.pack?.permissions == [.code, Self.network])
        await manager.close()
    }

    @Test func `permissions that the catalogue does not list are found in the pack`() async throws {
        store["weather"].permissions = []
        try store.publish()
        let manager = try await home.open(using: store)
        let ended = try await manager.installed("weather", consent: [.code])
        #expect(ended.state == .failed && ended.error?.code == .consentNeeded)
        #expect(ended.error?.permissions == [Self.network])
        #expect(try home.packs.names().isEmpty)
        #expect(try home.isClear())
        #expect(try await manager.installed("weather", consent: [.code, Self.network]).state == .finished)
        await manager.close()
    }

    @Test func `an update with more permissions waits until it is named with consent`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("weather", consent: [.code, Self.network])
        try ask("weather", for: ["network", "files"])
        let found = try await manager.updates.available().updates
        #expect(
            found.map(\.heldBack) == ["requests further permissions: files"]
                && found.map(\.permissions) == [[Self.files]])
        #expect(try await manager.updated().isEmpty)
        let refused = try await manager.updated(["weather"])
        #expect(refused["weather"]??.code == .consentNeeded && refused["weather"]??.permissions == [Self.files])
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        #expect(try await manager.updated(["weather"], consent: [Self.files]) == ["weather": nil])
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.files, Self.network])
        await manager.close()
    }

    @Test func `an update whose pack has unlisted permissions fails and leaves the installed version`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("weather", consent: [.code, Self.network])
        try ask("weather", for: ["network", "files"], isListed: false)
        let ends = try await manager.updated()
        #expect(ends["weather"]??.code == .consentNeeded && ends["weather"]??.permissions == [Self.files])
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        await manager.close()
    }

    @Test func `a permission that an update dropped needs consent again`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("weather", consent: [.code, Self.network])
        try ask("weather", for: [])
        #expect(try await manager.updated() == ["weather": nil])
        #expect(try await manager.packs.pack("weather").permissions == [.code])
        try ask("weather", for: ["network"])
        #expect(try await manager.updated().isEmpty)
        #expect(try await manager.updated(["weather"])["weather"]??.permissions == [Self.network])
        await manager.close()
    }

    @Test func `consent is needed for the permissions of dependencies`() async throws {
        store["cups"].dependencies = ["weather"]
        try store.publish()
        let manager = try await home.open(using: store)
        do {
            _ = try await manager.installs.install("cups", store: nil)
            Issue.record("installed")
        } catch {
            let report = ErrorReport(error)
            #expect(report.code == .consentNeeded && report.permissions == [.code, Self.network])
            #expect(report.message.hasPrefix("'cups' needs 'weather': "))
            #expect(report.requestingProduct == "weather")
        }
        #expect(try await manager.installed("cups", consent: [.code, Self.network]).state == .finished)
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        await manager.close()
    }

    @Test func `consent to one product is no consent to another of the same request`() async throws {
        store["weather"].dependencies = ["compass"]
        store.products.append(Self.plugin("compass", asking: ["location", "network"]))
        try store.publish()
        let manager = try await home.open(using: store)
        let location = Permission(rawValue: "location")
        var consent: Consent = []
        for (asking, permissions) in [
            ("compass", [.code, location, Self.network]), ("weather", [.code, Self.network]),
        ] as [(String, Set<Permission>)] {
            do {
                _ = try await manager.installs.install("weather", store: nil, consent: consent)
                Issue.record("installed with \(consent)")
            } catch {
                let report = ErrorReport(error)
                #expect(report.code == .consentNeeded && report.requestingProduct == asking)
                #expect(Set(report.permissions) == permissions)
                consent.toProducts[asking] = Set(report.permissions)
            }
        }
        #expect(try await manager.installed("weather", consent: consent).state == .finished)
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        #expect(try await manager.packs.pack("compass").permissions == [.code, location, Self.network])
        await manager.close()
    }

    @Test func `a failure because of a dependency's pack names the product that requests permissions`() async throws {
        store["cups"].dependencies = ["weather"]
        store["weather"].permissions = []
        try store.publish()
        let manager = try await home.open(using: store)
        let ended = try await manager.installed("cups", consent: [.code])
        #expect(ended.error?.permissions == [Self.network] && ended.error?.requestingProduct == "weather")
        await manager.close()
    }

    @Test func `consent survives a restart, and a rollback restores the previous consent`() async throws {
        var manager = try await home.open(using: store)
        try await manager.installed("weather", consent: [.code, Self.network])
        await manager.close()
        manager = try await home.open()
        try ask("weather", for: ["files", "network"])
        #expect(try await manager.updated(["weather"], consent: [Self.files]) == ["weather": nil])
        _ = try await manager.packs.rollBack("weather")
        #expect(try await manager.packs.pack("weather").permissions == [.code, Self.network])
        #expect(try await manager.updated(["weather"])["weather"]??.permissions == [Self.files])
        await manager.close()
    }

    @Test func `a local file needs consent`() async throws {
        let manager = try await home.open(using: store)
        let forge = ZipForge().file(
            "pack.json", Array(#"{"productIdentifier":"own","kind":"plugin","permissions":["files"]}"#.utf8))
        try home.folder.directory.put("own.zip", Data(forge.build()))
        let path = home.folder.path + "/own.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .consentNeeded)
        _ = try await manager.end(of: manager.installs.install(file: path, consent: [.code, Self.files]))
        #expect(try await manager.packs.pack("own").permissions == [.code, Self.files])
        await manager.close()
    }

    @Test(arguments: ["Network", "net work", "", "a\u{202E}b", String(repeating: "x", count: 65)])
    func `permissions that could be read as something else are refused`(word: String) async throws {
        store["weather"].files = ["pack.json": #"{"permissions":["\#(word)"]}"#]
        store["weather"].permissions = []
        try store.publish()
        let manager = try await home.open(using: store)
        let ended = try await manager.installed("weather", consent: [.code])
        #expect(ended.error?.code == .badInformation)
        await manager.close()
    }
}
