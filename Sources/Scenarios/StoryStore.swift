import FoundationEssentials
import StoreArchives
import StoreEngine
import StoreModel
import StorePublishing
import StoreSettings
import StoreSystem

/// The store of a story: a real one, made by the publisher's library, in a folder that nobody serves.
struct StoryStore: Sendable {
    /// Where clients believe it to be; nothing ever is at a name of this kind (RFC 2606).
    static let address = "http://store.invalid/"

    /// What is told of it: everything beneath is found under the same path behind ``address``.
    let published: Directory
    private let story: Story
    private let folder: Directory
    private let house: Storehouse
    private let work = BlockingWork(label: "scenarios.store")

    /// Makes an empty one.
    ///
    /// - Parameter path: of a folder that is not there yet.
    init(_ story: Story, at path: String) throws {
        self.story = story
        folder = try Directory.create(path)
        _ = try Storehouse.create(at: path + "/store", name: LocalizedText(story.title))
        house = try Storehouse(path: path + "/store", kinds: .builtIn(Settings()))
        published = try Directory.open(house.publicPath)
    }

    /// Lets versions of products appear, all in one step.
    ///
    /// - Returns: the hashes of their archives, in the same order.
    /// - Throws: `scenario.malformed` where an archive can't have the size that the story gives; what the publisher's
    ///   library says.
    func publish(_ releases: [(product: Story.Product, release: Story.Release)], at date: Date) async throws
        -> [SHA256Digest]
    {
        try await work.run {
            let digests = try releases.map { try add($0.product, $0.release, date) }
            _ = try house.publish()
            return digests
        }
    }

    /// Takes a product out of the store.
    func withdraw(_ productIdentifier: String) async throws {
        try await work.run {
            try house.withdraw(productIdentifier)
            _ = try house.publish()
        }
    }

    private func add(_ product: Story.Product, _ release: Story.Release, _ date: Date) throws -> SHA256Digest {
        let name = PackDirectoryName(productIdentifier: product.productIdentifier + "-" + release.version.text).text
        let pack = try folder.createDirectory(name)
        try write(product, release, pictureSize: StoryPicture.smallest, to: pack)
        let missing = release.size - (try archiveSize(of: pack, as: name + ".zip"))
        if missing != 0 {
            guard missing >= 5 else {
                throw impossible(product, release, "needs at least \(release.size - missing + 5) bytes")
            }
            try write(product, release, pictureSize: StoryPicture.smallest + missing, to: pack)
        }
        let options = AddOptions(
            productIdentifier: product.productIdentifier, kind: product.kind, name: product.name,
            version: release.version, price: product.price)
        let added = try house.add([folder.path(of: name)], options: options, time: date)[0].result.get()
        guard added.size == release.size else {
            throw impossible(product, release, "comes to \(added.size) bytes, not to \(release.size)")
        }
        return added.sha256
    }

    private func impossible(_ product: Story.Product, _ release: Story.Release, _ reason: String) -> ScenarioError {
        ScenarioError(
            .scenarioMalformed,
            "The story can't be played: the archive of '\(product.productIdentifier)' \(release.version) \(reason). "
                + "Change its size.")
    }

    private struct Information: Encodable {
        struct Sticker: Encodable {
            var id = "one"
            var file = StoryStore.picture
        }
        var productIdentifier: String
        var kind: ProductKind
        var name: String
        var version: Version
        var cover = StoryStore.picture
        var stickers = [Sticker()]
        var dependencies: [String]
        var permissions: [Permission]
    }

    private static let picture = "picture.gif"

    private func write(
        _ product: Story.Product, _ release: Story.Release, pictureSize: Int, to pack: Directory
    ) throws {
        let information = Information(
            productIdentifier: product.productIdentifier, kind: product.kind, name: product.name,
            version: release.version, dependencies: product.dependencies, permissions: product.permissions)
        try pack.replace("pack.json", with: JSON.encode(information))
        let picture = StoryPicture.gif(of: product.productIdentifier + release.version.text, size: pictureSize)
        try pack.replace(Self.picture, with: Data(picture))
    }

    private func archiveSize(of pack: Directory, as name: String) throws -> Int {
        let file = try folder.createFile(name)
        defer { try? folder.remove(name) }
        _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(pack, into: file)
        return try file.status().size
    }
}
