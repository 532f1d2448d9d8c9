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

/// A door to a C library: a module map and typed inline wrappers, no code of its own.
func door(_ name: String, pkgConfig: String? = nil, debian package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

/// - Parameter folder: of files that the program carries in itself.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], embedding folder: String? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: folder.map { [.embedInCode($0)] }, swiftSettings: strict)
}

/// - Parameter isShort: whether it is started for every little thing, and its time is what the loader takes for Swift's
///   libraries: then a release has them in itself.
func program(_ name: String, isShort: Bool = false, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: strict,
        linkerSettings: isShort ? withSwiftsLibraries : [])
}

/// What Foundation's own libraries rest on has to be named where they are linked in.
let withSwiftsLibraries: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
    .linkedLibrary("_FoundationCShims", .when(configuration: .release)),
    .linkedLibrary("_FoundationCollections", .when(configuration: .release)),
]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["Support"], swiftSettings: strict)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
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
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let fuzzing: [Target] = [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
        name: "Fuzz",
        dependencies: [
            "StoreServer", "StoreClient", "StoreAPI", "Engine", "Stickers", "Skins", "Library", "Catalogue", "Archives",
            "Transfers", "Images", "XML", "Settings", "Files", "StoreModel", "Support", "CZip", "CFuzzer", logging,
            .product(name: "NIOEmbedded", package: "swift-nio"),
        ] + hummingbird,
        path: "Tests/Fuzz/Targets", swiftSettings: strict,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
]

let package = Package(
    name: "storectl",
    products: [
        .library(name: "StoreEngine", targets: ["Engine", "Downloads", "Stickers", "Skins", "Emoji", "Plugins"]),
        .library(name: "StoreClient", targets: ["StoreClient"]),
        .library(name: "StorePublishing", targets: ["Publishing"]),
        .executable(name: "stored", targets: ["stored"]),
        .executable(name: "storectl", targets: ["storectl"]),
        .executable(name: "storehouse", targets: ["storehouse"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        program(
            "stored",
            [
                "Terminal", "StoreServer", "StoreAPI", "Scenarios", "Transfers", "Settings", "Files", "StoreModel",
                argumentParser,
            ]),
        program(
            "storectl", isShort: true, ["Terminal", "StoreClient", "StoreAPI", "Files", "StoreModel", argumentParser]),
        program(
            "storehouse",
            ["StoreServer", "StoreAPI", "Publishing", "Engine", "Library", "Settings", "StoreModel", argumentParser]),

        module("Terminal", ["StoreModel"]),
        module(
            "StoreServer",
            [
                "StoreAPI", "Scenarios", "Engine", "Stickers", "Skins", "Downloads", "Library", "Catalogue",
                "Transfers",
                "Images", "XML", "Settings", "Files", "StoreModel", logging,
            ]
                + hummingbird),
        module("StoreClient", ["StoreAPI", "Files", "StoreModel"]),
        module("StoreAPI", ["StoreModel"]),
        module(
            "Scenarios",
            [
                "Publishing", "Engine", "Downloads", "Library", "Archives", "Transfers", "Settings", "Files",
                "StoreModel", logging,
            ], embedding: "Stories"),
        module("Publishing", ["Library", "Catalogue", "Archives", "Files", "StoreModel"]),
        module(
            "Engine",
            [
                "Stickers", "Skins", "Emoji", "Plugins", "Downloads", "Library", "Database", "Catalogue", "Archives",
                "Transfers", "Images", "Settings", "Files", "StoreModel", logging,
            ]),
        module("Stickers", ["Library", "Images", "Files", "StoreModel"]),
        module("Skins", ["Library", "Images", "XML", "Files", "StoreModel"], embedding: "Page"),
        module("Emoji", ["Library", "Images", "Files", "StoreModel"]),
        module("Plugins", ["Library", "StoreModel"]),
        module("Downloads", ["Library", "Database", "Archives", "Transfers", "Files", "StoreModel", logging]),
        module("Library", ["Images", "XML", "Files", "StoreModel"]),
        module("Database", ["StoreModel", grdb, sqlite]),
        module("Catalogue", ["Files", "StoreModel"]),
        module("Archives", ["Files", "StoreModel", "CZip", "CDeflate"]),
        module("Transfers", ["Files", "StoreModel", "CCurl"]),
        module("Images", ["XML", "Files", "StoreModel"]),
        module("XML", ["StoreModel", "CXML"]),
        module("Settings", ["Files", "StoreModel", configuration]),
        module("Files", ["StoreModel", "CLinux"]),
        module("StoreModel", [crypto]),
        door("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
        door("CZip", pkgConfig: "libzip", debian: "libzip-dev"),
        door("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
        door("CXML", pkgConfig: "libxml-2.0", debian: "libxml2-dev"),
        door("CLinux"),

        // The front-end that the README shows.
        .executableTarget(
            name: "FrontEnd", dependencies: ["StoreClient", "Files", "StoreModel"], path: "Tests/FrontEnd",
            swiftSettings: strict),

        .target(
            name: "Support",
            dependencies: ["StoreModel", "Files"],
            path: "Tests/Support", swiftSettings: strict),
        tests("StoreModelTests", ["StoreModel"]),
        tests("FilesTests", ["Files", "StoreModel"]),
        tests("SettingsTests", ["Settings", "Files", "StoreModel"]),
        tests("TransfersTests", ["Transfers", "Files", "StoreModel"]),
        tests("XMLTests", ["XML", "StoreModel"]),
        tests("ImagesTests", ["Images", "XML", "Files", "StoreModel"]),
        tests("ArchivesTests", ["Archives", "Files", "StoreModel"]),
        tests("CatalogueTests", ["Catalogue", "Files", "StoreModel"]),
        tests("DatabaseTests", ["Database", "StoreModel", grdb]),
        tests("LibraryTests", ["Library", "Images", "Files", "StoreModel"]),
        tests("DownloadsTests", ["Downloads", "Archives", "Transfers", "Files", "StoreModel"]),
        tests("StickersTests", ["Stickers", "Library", "Files", "StoreModel"]),
        tests("SkinsTests", ["Skins", "Library", "Files", "StoreModel"]),
        tests("KindsTests", ["Stickers", "Skins", "Emoji", "Library", "Images", "Files", "StoreModel"]),
        tests("PublishingTests", ["Publishing", "Library", "Catalogue", "Archives", "Files", "StoreModel"]),
        tests(
            "EngineTests",
            [
                "Engine", "Downloads", "Stickers", "Database", "Library", "Catalogue", "Archives", "Transfers",
                "Settings", "Files", "StoreModel", logging,
            ]),
        tests(
            "StoreClientTests",
            ["storectl", "Terminal", "StoreClient", "StoreAPI", "Files", "StoreModel", argumentParser]),
        tests(
            "StoreServerTests",
            ["StoreServer", "StoreAPI", "Engine", "Downloads", "Settings", "Files", "StoreModel", logging] + hummingbird
        ),
        tests(
            "Integration",
            ["StoreClient", "Skins", "Files", "StoreModel", "stored", "storectl", "storehouse", "FrontEnd", sqlite]),
    ] + (isFuzzing ? fuzzing : [])
)

// What scripts/bench measures and no program contains; nobody else builds it.
if Context.environment["STORECTL_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "bench-unpack", dependencies: ["Archives", "Files"], path: "scripts/bench/ours/unpack",
            swiftSettings: strict))
    package.targets.append(
        .executableTarget(
            name: "bench-skins", dependencies: ["Skins", "Files"], path: "scripts/bench/ours/skins",
            swiftSettings: strict))
}
