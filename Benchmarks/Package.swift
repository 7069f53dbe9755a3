// swift-tools-version: 6.2
import PackageDescription

/// Measures the programs of the package above next to their floors and peers.
let package = Package(
    name: "RoundelBenchmarks",
    dependencies: [
        .package(name: "Roundel", path: ".."),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(
            name: "CPeers", dependencies: ["CSystemd"],
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .target(name: "CLine", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .executableTarget(
            name: "roundel-bench",
            dependencies: [
                "CLine", "CPeers", .product(name: "RoundelBus", package: "Roundel"),
                .product(name: "DBus", package: "Roundel"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
