// swift-tools-version: 6.2
import PackageDescription

// An application of a third party, whose targets have the names of this project's source directories.
let package = Package(
    name: "application",
    dependencies: [
        .package(name: "storectl", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "Settings"),
        .target(name: "Events"),
        .target(name: "Library"),
        .executableTarget(
            name: "Application",
            dependencies: [
                "Settings", "Events", "Library",
                .product(name: "StoreClient", package: "storectl"),
                .product(name: "StoreEngine", package: "storectl"),
            ]),
        // The programs and the targets in the README; their sources are links to the programs that the tests run.
        .executableTarget(name: "chat", dependencies: [.product(name: "StoreClient", package: "storectl")]),
        .executableTarget(
            name: "chat-alone",
            dependencies: [
                .product(name: "StoreEngine", package: "storectl"), .product(name: "Logging", package: "swift-log"),
            ]),
    ]
)
