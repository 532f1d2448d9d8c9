import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Catalogues that are made to exhaust the memory of the daemon.
@Suite(.hangGuard) struct HostileCatalogueTests {
    /// The memory that no catalogue may need, in bytes.
    private static let mostMemory = 256 << 20

    /// A catalogue, named after what it has too much of.
    enum Hostile: String, CaseIterable, Sendable, CustomStringConvertible {
        case millionsOfMirrors, manyMirrors, previewsOfOneProduct, shortProducts, ordinaryProducts, languages
        case longName, longNames, manyLongNames, membersOfOneProduct, repeatedIdentifier, repeatedShard, overfullShard,
            details

        var description: String { rawValue }

        /// The exit status of adding the store.
        var exit: Int32 {
            switch self {
            case .millionsOfMirrors, .repeatedIdentifier, .overfullShard: 5
            case .manyMirrors, .shortProducts, .previewsOfOneProduct, .ordinaryProducts, .languages, .longName,
                .longNames, .manyLongNames, .membersOfOneProduct, .repeatedShard, .details:
                0
            }
        }

        /// The documents of the store by name.
        var documents: [String: String] {
            switch self {
            // The largest catalogue that the project is measured with, as storehouse writes it.
            case .ordinaryProducts: return Self.storehouseShards(products: 100_000, in: 512)
            // As much as the limit of memory allows.
            case .manyLongNames:
                let lists = (0..<3).map { shard in
                    Self.products(1_000, from: shard * 1_000) { #""productName":"\#(Self.text(15_900))\#($0)""# }
                }
                return Self.shards(lists, of: 1_000)
            case .repeatedShard: return Self.shards(stating: 3_000, count: 3_000)
            case .overfullShard: return Self.shards(stating: 10, count: 200_000)
            case .details:
                let catalogue =
                    #"[{"productIdentifier":"p","productDetailsURL":"d.json","productDetailsSize":1000000000000000}]"#
                let details = #"{"productDetailsPreviewImagesURLsArray":\#(Self.texts(10_000_000))}"#
                return ["catalogue.json": catalogue, "d.json": details]
            default: return ["catalogue.json": catalogue]
            }
        }

        private var catalogue: String {
            switch self {
            case .millionsOfMirrors: return Self.products(5_900) { _ in #""mirrors":\#(Self.texts(1_000))"# }
            // As many as the limit of values allows.
            case .manyMirrors: return Self.products(900) { _ in #""mirrors":\#(Self.texts(1_000))"# }
            case .previewsOfOneProduct:
                return Self.products(1) { _ in #""productDetailsPreviewImagesURLsArray":\#(Self.texts(900_000))"# }
            case .shortProducts: return Self.products(200_000) { _ in #""a":0"# }
            case .languages:
                return Self.products(2_400) { number in
                    let names = (0..<200).map { #""l\#($0)":"name \#(number)""# }
                    return #""productName":{\#(names.joined(separator: ","))}"#
                }
            case .longName: return Self.products(1) { _ in #""productName":"\#(Self.text(15_000_000))""# }
            case .longNames: return Self.products(900) { #""productName":"\#(Self.text(16_000))\#($0)""# }
            case .membersOfOneProduct:
                return Self.products(1) { _ in (0..<480_000).map { #""m\#($0)":0"# }.joined(separator: ",") }
            case .repeatedIdentifier:
                return "[" + Self.elements(220_000, #"{"productIdentifier":"p"}"#) + "]"
            case .ordinaryProducts, .manyLongNames, .repeatedShard, .overfullShard, .details: return ""
            }
        }

        /// Returns a list of the products `p`, `p1`, `p2` and so on.
        ///
        /// - Parameters:
        ///   - first: the number of the first product.
        ///   - members: returns the members of a product beside the identifier.
        private static func products(_ count: Int, from first: Int = 0, _ members: (Int) -> String) -> String {
            let products = (first..<first + count).map { number in
                let identifier = number == 0 ? "p" : "p\(number)"
                return #"{"productIdentifier":"\#(identifier)",\#(members(number))}"#
            }
            return "[" + products.joined(separator: ",") + "]"
        }

        private static func elements(_ count: Int, _ element: String) -> String {
            Array(repeating: element, count: count).joined(separator: ",")
        }

        private static func texts(_ count: Int) -> String { "[" + elements(count, #""a""#) + "]" }

        private static func text(_ length: Int) -> String { String(repeating: "a", count: length) }

        /// Returns the documents of a catalogue with these lists of products.
        ///
        /// - Parameter size: the number of products in each list, at least.
        private static func shards(_ lists: [String], of size: Int) -> [String: String] {
            var (documents, references): ([String: String], [String]) = ([:], [])
            for (number, list) in lists.enumerated() {
                let shard = #"{"format":2,"products":\#(list)}"#
                documents["\(number).json"] = shard
                references.append(
                    #"{"url":"\#(number).json","size":\#(shard.utf8.count),"#
                        + #""sha256":"\#(StoreDocuments.hash(Array(shard.utf8)))","products":\#(size)}"#)
            }
            documents["catalogue.json"] =
                #"{"format":2,"products":\#(size * lists.count),"shards":[\#(references.joined(separator: ","))]}"#
            return documents
        }

        /// Returns a catalogue of products that have everything that `storehouse` writes of an ordinary one.
        private static func storehouseShards(products count: Int, in shards: Int) -> [String: String] {
            var random = SeededGenerator(seed: 1)
            func file(_ member: String, _ suffix: String) -> String {
                let hash = (0..<4).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
                let size = random.next() % 1_000_000
                let members: [String] = [
                    #","\#(member)URL":"../content/\#(hash)\#(suffix)","\#(member)Size":\#(size)"#,
                    #","\#(member)SHA256":"\#(hash)""#,
                ]
                return members.joined()
            }
            let lists = (0..<shards).map { shard in
                let numbers = stride(from: shard, to: count, by: shards)
                let products = numbers.map { number in
                    let members: [String] = [
                        #"{"productIdentifier":"\#(number == 0 ? "p" : "org.example.p-" + String(number))""#,
                        #","productName":{"en":"The product number \#(number)","pt":"O produto \#(number)"}"#,
                        #","productType":"sticker","version":"1.\#(number % 10).0","license":"CC-BY-4.0""#,
                        #","publisher":"Example Publishers","authors":["Jane Doe"],"locales":["en","pt"]"#,
                        #","categories":["Food"],"tags":["tea","cups"],"publishedAt":"2026-01-31T12:00:00Z""#,
                        file("productResource", ".zip"), file("entryTable", ".json"), file("productDetails", ".json"),
                        file("productResourceImage", ".webp"), "}",
                    ]
                    return members.joined()
                }
                return "[" + products.joined(separator: ",") + "]"
            }
            return Self.shards(lists, of: count / shards + 1)
        }

        /// Returns an index that names one shard 60 times, and the shard.
        ///
        /// - Parameters:
        ///   - stated: the number of products that the index states for the shard.
        ///   - count: the number that it has.
        private static func shards(stating stated: Int, count: Int) -> [String: String] {
            let products = products(count) { _ in #""productType":"sticker","version":"1""# }
            let shard = #"{"format":2,"products":\#(products)}"#
            let hash = StoreDocuments.hash(Array(shard.utf8))
            let reference =
                #"{"url":"shard.json","size":\#(shard.utf8.count),"sha256":"\#(hash)","products":\#(stated)}"#
            let index = #"{"format":2,"products":\#(60 * stated),"shards":[\#(elements(60, reference))]}"#
            return ["shard.json": shard, "catalogue.json": index]
        }
    }

    @Test(arguments: Hostile.allCases)
    func `no catalogue takes the daemon above 256 MB`(hostile: Hostile) async throws {
        let (home, store, documents) = (try TestHome(), try TemporaryFolder(), hostile.documents)
        func publish(_ more: String = "") throws {
            for (name, document) in documents {
                let text = name == "catalogue.json" ? document + more : document
                try Data(text.utf8).write(to: URL(filePath: store.path + "/" + name))
            }
        }
        try publish()
        try await home.must("store", "list")
        let pid = try #require(home.daemonPID)
        let added = try await home.storectl("store", "add", "hostile", store.url.absoluteString, "--unsigned")
        #expect(added.exit == hostile.exit, "\(added)")
        // A changed catalogue is read while the previous one is in memory.
        try publish("\n")
        for arguments in [["refresh"], ["search"], ["search", "--json"]] {
            let result = try await Programs.run("storectl", arguments, environment: home.environment)
            #expect(result.exit == 0, "\(arguments): exit \(result.exit), \(result.errors.prefix(1_000))")
            if hostile == .ordinaryProducts, arguments == ["search"] {
                #expect(result.output.split(separator: "\n").count == 100_001)
            }
        }
        let info = try await home.storectl("info", "p")
        #expect(info.exit == (hostile.exit == 0 ? 0 : 3), "\(info)")
        let most = try #require(ProcessFacts(pid)).mostMemory
        print("Catalogue \(hostile): \(most >> 20) MB at most")
        #expect(!Sanitizers.canCheckMemory() || most < Self.mostMemory, "\(most >> 20) MB")
        try await home.must("daemon", "stop")
    }
}
