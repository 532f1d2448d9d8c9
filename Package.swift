// swift-tools-version: 6.2
import PackageDescription

// The tree shows the way that content takes; imports point down this list only
// (`scripts/check` holds it to that). Heavy outside libraries are each imported in one module.

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (Context.environment["STORECTL_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : [])
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : [])

/// `scripts/fuzz` builds our modules, and only these, so that the fuzzer sees which ways through them an input takes.
var isFuzzing: Bool { Context.environment["STORECTL_FUZZ"] == "on" }

/// A C library: a module map and typed inline wrappers, no code of its own.
func shim(_ directory: String, pkgConfig: String? = nil, debian package: String? = nil) -> Target {
    .systemLibrary(
        name: "Store" + directory, path: "Sources/\(directory)", pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] })
}

/// A module in `Sources/DIRECTORY`.
///
/// Target names are global to the graph of an application that depends on this package, so each begins with `Store`.
///
/// - Parameters:
///   - files: what in the directory belongs to another target.
///   - resources: directories of files that are embedded in the program.
func module(
    _ directory: String, _ dependencies: [Target.Dependency] = [], without files: [String] = [],
    embedding resources: String...
) -> Target {
    .target(
        name: prefixed(directory), dependencies: dependencies, path: "Sources/\(directory)", exclude: files,
        resources: resources.map { .embedInCode($0) }, swiftSettings: strict)
}

/// A program, which as a release has Swift's libraries in itself: it runs where Swift is not installed, and a short
/// command does not spend its time in the loader.
///
/// - Parameter isCopied: whether the program starts copies of itself: what it calls in libraries is then looked up once at its
///   start, and not in each copy.
func program(_ name: String, _ dependencies: [Target.Dependency], isCopied: Bool = false) -> Target {
    let atStart = LinkerSetting.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(configuration: .release))
    return .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: strict,
        linkerSettings: withSwiftsLibraries + (isCopied ? [atStart] : []))
}

/// What Foundation's own libraries rest on has to be named where they are linked in, after the libraries that use it.
///
/// With `-static-stdlib`, a program would export all its symbols for libraries that it loads, of which there are none: the
/// linker would keep unused functions, and each start would take half a millisecond longer.
let withSwiftsLibraries: [LinkerSetting] =
    [.unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]
    + ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"].map {
        .linkedLibrary($0, .when(configuration: .release))
    }

func tests(_ directory: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: prefixed(directory), dependencies: dependencies + ["StoreTestSupport"], path: "Tests/\(directory)",
        swiftSettings: strict)
}

func prefixed(_ directory: String) -> String { directory.hasPrefix("Store") ? directory : "Store" + directory }

let algorithms: Target.Dependency = .product(name: "Algorithms", package: "swift-algorithms")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
]
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let fuzzed: [Target.Dependency] = [
    "StoreServer", "StoreClient", "StoreAPI", "StoreEngine", "StoreStickers", "StoreStickerPacks", "StoreSkins",
    "StoreEmoji", "StorePackFormats", "StoreLibrary", "StoreCatalogue", "StoreTrust", "StoreWorker", "StoreArchives",
    "StoreTransfers", "StoreVideos", "StoreImages", "StoreXML", "StoreSettings", "StoreSystem", "StoreModel",
    "StoreTestSupport", "StoreCZip", logging, .product(name: "NIOEmbedded", package: "swift-nio"),
]

let fuzzing: [Target] = [
    .systemLibrary(name: "StoreCFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
        name: "StoreFuzz", dependencies: fuzzed + hummingbird + ["StoreCFuzzer"], path: "Tests/Fuzz",
        exclude: ["CFuzzer", "Corpora", "CorpusTests", "Dictionaries", "README.md", "leaks.txt"],
        sources: ["Runner", "Targets"], swiftSettings: strict,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
]

/// Without the fuzzer, the same functions are compiled and fed with the kept inputs by the unit tests.
let corpusTests: [Target] = [
    .testTarget(
        name: "StoreFuzzTests", dependencies: fuzzed + hummingbird, path: "Tests/Fuzz",
        exclude: ["CFuzzer", "Corpora", "Dictionaries", "README.md", "Runner", "leaks.txt"],
        sources: ["CorpusTests", "Targets"], swiftSettings: strict)
]

let package = Package(
    name: "storectl",
    products: [
        .library(
            name: "StoreEngine",
            targets: [
                "StoreEngine", "StoreDownloads", "StoreEvents", "StoreStickers", "StoreStickerPacks", "StoreSkins",
                "StoreEmoji", "StorePlugins",
            ]),
        .library(name: "StoreClient", targets: ["StoreClient"]),
        .library(name: "StorePublishing", targets: ["StorePublishing"]),
        .executable(name: "stored", targets: ["stored"]),
        .executable(name: "storectl", targets: ["storectl"]),
        .executable(name: "storehouse", targets: ["storehouse"]),
        .executable(name: "store-fetch", targets: ["store-fetch"]),
        .executable(name: "store-worker", targets: ["store-worker"]),
        .executable(name: "store-thumbnailer", targets: ["store-thumbnailer"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        program(
            "stored",
            [
                "StoreTerminal", "StoreServer", "StoreAPI", "StoreScenarios", "StoreDesktop", "StoreSettings",
                "StoreSystem", "StoreModel", argumentParser,
            ]),
        program(
            "storectl",
            ["StoreTerminal", "StoreClient", "StoreAPI", "StoreMessages", "StoreSystem", "StoreModel", argumentParser]),
        program(
            "storehouse",
            [
                "StoreTerminal", "StoreServer", "StoreAPI", "StorePublishing", "StoreEngine", "StoreEmojiFonts",
                "StoreEmoji", "StoreLibrary", "StoreTrust", "StoreWorker", "StoreSettings", "StoreSystem", "StoreModel",
                argumentParser,
            ]),
        program(
            "store-fetch",
            ["StoreTerminal", "StoreMessages", "StoreTransfers", "StoreSystem", "StoreModel", argumentParser]),
        program(
            "store-worker",
            [
                "StoreStickerPacks", "StoreSkins", "StoreEmoji", "StorePlugins", "StoreLibrary", "StorePackFormats",
                "StoreWorker", "StoreArchives", "StoreImages", "StoreSystem", "StoreModel",
            ], isCopied: true),
        program(
            "store-thumbnailer",
            [
                "StoreEmojiFonts", "StoreThumbnails", "StoreWorker", "StoreArchives", "StoreImages", "StoreSystem",
                "StoreModel",
            ], isCopied: true),
        program(
            "tuf-client",
            ["StoreTerminal", "StoreTrust", "StoreTransfers", "StoreSystem", "StoreModel", argumentParser]),

        module("Terminal", ["StoreMessages", "StoreSystem", "StoreModel", argumentParser]),
        module(
            "StoreServer",
            [
                "StoreAPI", "StoreOpenAPI", "StoreScenarios", "StoreWebPages", "StoreMessages", "StoreEngine",
                "StoreStickers", "StoreSkins", "StoreEmoji", "StoreDownloads", "StoreEvents", "StoreLibrary",
                "StoreCatalogue", "StoreTransfers", "StoreWorker", "StoreImages", "StoreXML", "StoreSettings",
                "StoreSystem", "StoreModel", logging,
            ] + hummingbird),
        module("StoreClient", ["StoreAPI", "StoreSystem", "StoreModel", deque]),
        module("StoreAPI", ["StoreOpenAPI", "StoreModel"]),
        module("OpenAPI", ["StoreModel"]),
        module(
            "Scenarios",
            [
                "StorePublishing", "StoreEngine", "StoreDownloads", "StoreLibrary", "StoreArchives", "StoreTransfers",
                "StoreSettings", "StoreSystem", "StoreModel", logging,
            ], embedding: "Scripts"),
        module("WebPages", ["StoreMessages", "StoreModel", mustache], embedding: "Templates", "Assets"),
        module("Desktop", ["StoreMessages", "StoreSystem", "StoreModel", "StoreCSystemd", logging]),
        module("Messages", ["StoreModel", "StoreCMessages"], without: ["Translations"]),
        module(
            "Publishing",
            [
                "StoreLibrary", "StoreCatalogue", "StoreTrust", "StorePackFormats", "StoreArchives", "StoreSystem",
                "StoreModel",
            ]),
        module(
            "Engine",
            [
                "StoreStickers", "StoreStickerPacks", "StoreSkins", "StoreEmoji", "StorePlugins", "StoreDownloads",
                "StoreEvents",
                "StoreLibrary", "StoreDatabase", "StoreCatalogue", "StoreTrust", "StorePackFormats", "StoreWorker",
                "StoreArchives", "StoreTransfers", "StoreImages", "StoreSettings", "StoreSystem", "StoreModel", logging,
            ]),
        module(
            "Stickers",
            [
                "StoreStickerPacks", "StoreLibrary", "StoreDatabase", "StoreImages", "StoreSystem", "StoreModel",
                algorithms,
            ]),
        // Apart from the stickers' index and its database, which the confined processes don't need.
        module("StickerPacks", ["StoreLibrary", "StoreImages", "StoreSystem", "StoreModel"]),
        module(
            "Skins", ["StoreLibrary", "StoreImages", "StoreXML", "StoreSystem", "StoreModel", "StoreCXXHash"],
            embedding: "Page"),
        module(
            "EmojiFonts",
            ["StoreEmoji", "StoreWorker", "StoreImages", "StoreXML", "StoreSystem", "StoreModel", "StoreCHarfBuzz"]),
        module("Emoji", ["StoreLibrary", "StoreImages", "StoreXML", "StoreSystem", "StoreModel"]),
        module("Plugins", ["StoreLibrary", "StoreModel"]),
        module(
            "Downloads",
            [
                "StoreEvents", "StoreLibrary", "StoreDatabase", "StoreArchives", "StoreTransfers", "StoreSystem",
                "StoreModel", algorithms, deque, logging,
            ]),
        module("Events", ["StoreSystem", "StoreModel", algorithms, deque, logging]),
        module("Library", ["StoreImages", "StoreXML", "StoreSystem", "StoreModel"]),
        module("Database", ["StoreSystem", "StoreModel", grdb, sqlite]),
        module("Catalogue", ["StoreSystem", "StoreModel", algorithms]),
        module("Trust", ["StoreSystem", "StoreModel", crypto, cryptoExtras]),
        module(
            "PackFormats",
            [
                "StoreWorker", "StoreArchives", "StoreImages", "StoreXML", "StoreSystem", "StoreModel", crypto,
                cryptoExtras,
            ]),
        module("Thumbnails", ["StoreVideos", "StoreImages", "StoreModel", "StoreCVips", "StoreCRLottie"]),
        module("Videos", ["StoreImages", "StoreModel", "StoreCVPX"]),
        module("Worker", ["StoreArchives", "StoreImages", "StoreSystem", "StoreModel"]),
        module("Archives", ["StoreSystem", "StoreModel", "StoreCZip", "StoreCDeflate"]),
        module("Transfers", ["StoreSystem", "StoreModel", "StoreCCurl"]),
        module("Images", ["StoreXML", "StoreSystem", "StoreModel", "StoreCDeflate"]),
        module("XML", ["StoreSystem", "StoreModel", "StoreCXML"]),
        module("Settings", ["StoreSystem", "StoreModel", configuration]),
        module("System", ["StoreModel", "StoreCLinux", deque]),
        module("StoreModel", [crypto]),
        // Not a shim, because it loads the library at run time. It needs the headers of libcurl (Debian: libcurl4-openssl-dev).
        .target(name: "StoreCCurl", path: "Sources/CCurl"),
        shim("CZip", pkgConfig: "libzip", debian: "libzip-dev"),
        shim("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
        .target(name: "StoreCMessages", path: "Sources/CMessages"),
        shim("CXXHash", pkgConfig: "libxxhash", debian: "libxxhash-dev"),
        shim("CXML", pkgConfig: "libxml-2.0", debian: "libxml2-dev"),
        shim("CHarfBuzz", pkgConfig: "harfbuzz", debian: "libharfbuzz-dev"),
        // The flags of vips itself are those of the libraries that it was built with; its header needs only GObject's.
        shim("CVips", pkgConfig: "gobject-2.0", debian: "libvips-dev"),
        shim("CRLottie", debian: "librlottie-dev"),
        shim("CVPX", pkgConfig: "vpx", debian: "libvpx-dev"),
        shim("CSystemd", pkgConfig: "libsystemd", debian: "libsystemd-dev"),
        shim("CLinux"),

        // The front-ends that the README shows.
        .executableTarget(
            name: "StoreFrontEndExample", dependencies: ["StoreClient"],
            path: "Tests/FrontEnd",
            swiftSettings: strict),
        .executableTarget(
            name: "StoreInProcessExample", dependencies: ["StoreEngine", logging],
            path: "Tests/InProcessFrontEnd",
            swiftSettings: strict),

        // Confines itself, for the tests of StoreSystem; and a worker that attackers control, for those of StoreWorker.
        .executableTarget(
            name: "StoreConfinementProbe", dependencies: ["StoreWorker", "StoreSystem", "StoreModel", "StoreCDeflate"],
            path: "Tests/ConfinementProbe",
            swiftSettings: strict),

        .target(
            name: "StoreTestSupport",
            dependencies: ["StoreModel", "StoreSystem"],
            path: "Tests/Support", swiftSettings: strict),
        tests("StoreModelTests", ["StoreModel"]),
        tests("MessagesTests", ["StoreMessages", "StoreModel"]),
        tests("SystemTests", ["StoreSystem", "StoreModel", "StoreConfinementProbe"]),
        tests("SettingsTests", ["StoreSettings", "StoreSystem", "StoreModel"]),
        tests("TransfersTests", ["StoreTransfers", "StoreSystem", "StoreModel"]),
        tests("XMLTests", ["StoreXML", "StoreModel"]),
        tests("ImagesTests", ["StoreImages", "StoreXML", "StoreSystem", "StoreModel"]),
        tests(
            "WorkerTests",
            [
                "StoreWorker", "StoreArchives", "StoreImages", "StoreSystem", "StoreModel", "StoreConfinementProbe",
                "store-worker",
            ]),
        tests(
            "ThumbnailsTests",
            ["StoreWorker", "StoreImages", "StoreSystem", "StoreModel", "store-thumbnailer"]),
        tests("VideosTests", ["StoreVideos", "StoreImages", "StoreModel"]),
        tests("ArchivesTests", ["StoreArchives", "StoreSystem", "StoreModel"]),
        tests("CatalogueTests", ["StoreCatalogue", "StoreSystem", "StoreModel"]),
        tests("TrustTests", ["StoreTrust", "StoreSystem", "StoreModel", crypto, cryptoExtras]),
        tests(
            "PackFormatsTests",
            [
                "StorePackFormats", "StoreStickerPacks", "StoreLibrary", "StoreArchives", "StoreImages", "StoreSystem",
                "StoreModel",
            ]),
        tests("DatabaseTests", ["StoreDatabase", "StoreSystem", "StoreModel", grdb, sqlite]),
        tests(
            "LibraryTests",
            [
                "StoreStickerPacks", "StoreSkins", "StoreEmoji", "StorePlugins", "StoreLibrary", "StoreImages",
                "StoreSystem", "StoreModel",
            ]),
        tests("EventsTests", ["StoreEvents", "StoreSystem", "StoreModel"]),
        tests(
            "DownloadsTests",
            [
                "StoreDownloads", "StoreEvents", "StoreLibrary", "StoreDatabase", "StoreArchives", "StoreTransfers",
                "StoreSystem", "StoreModel", grdb, logging,
            ]),
        tests(
            "StickersTests",
            ["StoreStickers", "StoreStickerPacks", "StoreLibrary", "StoreDatabase", "StoreSystem", "StoreModel"]),
        tests("SkinsTests", ["StoreSkins", "StoreLibrary", "StoreSystem", "StoreModel"]),
        tests(
            "EmojiTests",
            [
                "StoreEmojiFonts", "StoreEmoji", "StoreLibrary", "StoreWorker", "StoreImages",
                "StoreSystem", "StoreModel", "store-thumbnailer",
            ]),
        tests(
            "PublishingTests",
            [
                "StorePublishing", "StoreStickerPacks", "StoreSkins", "StoreEmoji", "StorePlugins", "StoreLibrary",
                "StoreCatalogue", "StoreTrust", "StoreArchives", "StoreImages", "StoreSystem", "StoreModel",
            ]),
        tests(
            "EngineTests",
            [
                "StoreEngine", "StoreDownloads", "StoreEvents", "StoreStickers", "StoreEmoji", "StoreDatabase",
                "StoreLibrary", "StoreCatalogue", "StoreTrust", "StoreWorker", "StoreArchives", "StoreTransfers",
                "StoreSettings", "StoreSystem", "StoreModel", logging,
            ]),
        tests("WebPagesTests", ["StoreWebPages", "StoreMessages", "StoreModel"]),
        tests("DesktopTests", ["StoreDesktop", "StoreSystem", "StoreModel", logging]),
        tests("StoreClientTests", ["StoreClient", "StoreAPI", "StoreSystem", "StoreModel"]),
        tests("OpenAPITests", ["StoreOpenAPI", "StoreModel"]),
        tests("TerminalTests", ["StoreTerminal", "StoreMessages", "StoreModel"]),
        tests(
            "Samples",
            [
                "StorePublishing", "StoreEngine", "StoreDownloads", "StoreClient", "StoreStickers", "StoreSkins",
                "StoreLibrary", "StoreDatabase", "StoreTrust", "StoreSystem", "StoreModel", logging,
            ]),
        tests(
            "StorectlTests",
            ["storectl", "StoreTerminal", "StoreAPI", "StoreMessages", "StoreSystem", "StoreModel", argumentParser]),
        tests(
            "StoreServerTests",
            [
                "StoreServer", "StoreAPI", "StoreOpenAPI", "StoreEngine", "StoreDownloads", "StoreEvents",
                "StoreSettings", "StoreSystem", "StoreModel", logging,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + hummingbird),
        tests(
            "Integration",
            [
                "StoreEngine", "StoreClient", "StoreSkins", "StoreTrust", "StoreArchives", "StoreImages", "StoreSystem",
                "StoreModel", "stored", "storectl", "storehouse", "store-fetch", "store-worker", "store-thumbnailer",
                "tuf-client", "StoreFrontEndExample", "StoreInProcessExample", "StoreConfinementProbe", sqlite, logging,
            ]),
    ] + (isFuzzing ? fuzzing : corpusTests)
)

// What scripts/bench measures and no program contains; nobody else builds it.
if Context.environment["STORECTL_BENCH"] != nil {
    func bench(_ directory: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: "bench-\(directory)", dependencies: dependencies, path: "scripts/bench/ours/\(directory)",
            swiftSettings: strict)
    }
    package.targets += [
        bench("unpack", ["StoreArchives", "StoreSystem"]),
        bench("skins", ["StoreSkins", "StoreSystem"]),
        bench("emoji", ["StoreEmojiFonts", "StoreEmoji", "StoreSystem"]),
    ]
}
