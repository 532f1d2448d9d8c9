import Foundation
import StoreTestSupport
import Testing

/// The samples in doc comments are compiled: each equals the code between `// sample` and `// end` in this directory.
@Suite struct SamplesTests {
    private static let samples = [
        "Skins/Using/SkinsManager.swift": "SkinsManagerSample.swift",
        "Stickers/StickersManager.swift": "StickersManagerSample.swift",
        "StoreClient/StoreClient.swift": "StoreClientSample.swift",
        "Publishing/Storehouse.swift": "StorehouseSample.swift",
        "Engine/StoreManager.swift": "StoreManagerSample.swift",
        "Downloads/DownloadsManager.swift": "DownloadsManagerSample.swift",
        "Library/Content/ContentKind.swift": "ContentKindSample.swift",
        "Trust/Updating/MetadataUpdater.swift": "MetadataUpdaterSample.swift",
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private func lines(of path: String) throws -> [Substring] {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the first block of Swift code in the doc comments of a file.
    private func documented(_ path: String) throws -> [String] {
        let lines = try lines(of: path)
        let start = try #require(lines.firstIndex(of: "/// ```swift"), "\(path) has no sample")
        return lines[(start + 1)...].prefix { $0 != "/// ```" }.map { String($0.dropFirst(4)) }
    }

    /// Returns the compiled code between the markers of a file, without the indentation of the function.
    private func compiled(_ path: String) throws -> [String] {
        let lines = try lines(of: path)
        let start = try #require(lines.firstIndex(of: "    // sample"), "\(path) has no marker")
        return lines[(start + 1)...].prefix { $0 != "    // end" }.map { String($0.dropFirst(4)) }
    }

    @Test(arguments: samples) func `a documented sample equals the compiled code`(source: String, sample: String) throws
    {
        let documented = try documented("Sources/" + source)
        #expect(!documented.isEmpty)
        #expect(try documented == compiled("Tests/Samples/" + sample))
    }
}
