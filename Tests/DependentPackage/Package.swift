// swift-tools-version: 6.2
import PackageDescription

// An application of a third party, whose targets have the names of this project's source directories.
let package = Package(
    name: "application",
    dependencies: [.package(name: "storectl", path: "../..")],
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
    ]
)
