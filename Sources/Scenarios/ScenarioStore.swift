import FoundationEssentials
import StoreArchives
import StoreEngine
import StoreModel
import StorePublishing
import StoreSettings
import StoreSystem

/// The store of a scenario, created by the publisher's library in a local directory; no server serves it.
struct ScenarioStore: Sendable {
    /// The URL of the scenario's store that clients use.
    ///
    /// The top-level domain `invalid` never resolves (RFC 2606).
    static let address = "http://store.invalid/"

    /// The public directory of the scenario's store.
    ///
    /// Clients find its files at the same paths below ``address``.
    let published: Directory
    private let script: ScenarioScript
    private let directory: Directory
    private let storehouse: Storehouse
    private let work = BlockingWork(label: "scenarios.store")

    /// Creates the empty store of a scenario.
    ///
    /// - Parameter path: a directory that does not exist yet.
    init(_ script: ScenarioScript, at path: String) throws {
        self.script = script
        directory = try Directory.create(path)
        _ = try Storehouse.create(at: path + "/store", name: LocalizedText(script.title))
        storehouse = try Storehouse(path: path + "/store", kinds: .builtIn(Settings()))
        published = try Directory.open(storehouse.publicPath)
    }

    /// Publishes versions of products in the scenario's store in one step.
    ///
    /// - Returns: the hashes of their archives, in the same order.
    /// - Throws: `scenario.malformed` if an archive can't have the scripted size; an error of the publisher's library.
    func publish(_ releases: [(product: ScenarioScript.Product, release: ScenarioScript.Release)], at date: Date)
        async throws
        -> [SHA256Digest]
    {
        try await work.run {
            let digests = try releases.map { try add($0.product, $0.release, date) }
            _ = try storehouse.publish()
            return digests
        }
    }

    /// Withdraws a product from the scenario's store: it is no longer offered.
    func withdraw(_ productIdentifier: String) async throws {
        try await work.run {
            try storehouse.withdraw(productIdentifier)
            _ = try storehouse.publish()
        }
    }

    private func add(_ product: ScenarioScript.Product, _ release: ScenarioScript.Release, _ date: Date) throws
        -> SHA256Digest
    {
        let name = PackDirectoryName(productIdentifier: product.productIdentifier + "-" + release.version.text).text
        let pack = try directory.createDirectory(name)
        try write(product, release, imageSize: PlaceholderImage.minimumSize, to: pack)
        let missing = release.size - (try archiveSize(of: pack, as: name + ".zip"))
        if missing != 0 {
            guard missing >= 5 else {
                throw invalidSize(product, release, "needs at least \(release.size - missing + 5) bytes")
            }
            try write(product, release, imageSize: PlaceholderImage.minimumSize + missing, to: pack)
        }
        let options = AddOptions(
            productIdentifier: product.productIdentifier, kind: product.kind, name: product.name,
            version: release.version, price: product.price)
        let added = try storehouse.add([directory.path(of: name)], options: options, time: date)[0].result.get()
        guard added.size == release.size else {
            throw invalidSize(product, release, "has \(added.size) bytes instead of \(release.size)")
        }
        return added.sha256
    }

    private func invalidSize(
        _ product: ScenarioScript.Product, _ release: ScenarioScript.Release, _ reason: String
    ) -> StoreError {
        StoreError(
            .scenarioArchiveSize,
            ["product": product.productIdentifier, "version": release.version.text, "reason": reason])
    }

    private struct Information: Encodable {
        struct Sticker: Encodable {
            var id = "one"
            var file = ScenarioStore.imageName
        }
        var productIdentifier: String
        var kind: ProductKind
        var name: String
        var version: Version
        var cover = ScenarioStore.imageName
        var stickers = [Sticker()]
        var dependencies: [String]
        var permissions: [Permission]
    }

    private static let imageName = "picture.gif"

    private func write(
        _ product: ScenarioScript.Product, _ release: ScenarioScript.Release, imageSize: Int, to pack: Directory
    ) throws {
        let information = Information(
            productIdentifier: product.productIdentifier, kind: product.kind, name: product.name,
            version: release.version, dependencies: product.dependencies, permissions: product.permissions)
        try pack.replace("pack.json", with: JSON.encode(information))
        let image = PlaceholderImage.gif(of: product.productIdentifier + release.version.text, size: imageSize)
        try pack.replace(Self.imageName, with: Data(image))
    }

    private func archiveSize(of pack: Directory, as name: String) throws -> Int {
        let file = try directory.createFile(name)
        defer { try? directory.remove(name) }
        _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(pack, into: file)
        return try file.status().size
    }
}
