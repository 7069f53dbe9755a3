// swift-tools-version: 6.2
import PackageDescription

/// Feeds the readers of foreign bytes to libFuzzer, which guides its inputs by the branches that they reach.
///
/// The modules are built here once more, from the sources of the package that this stands in: every one must be instrumented, and the
/// readers are internal to them.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func module(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

let package = Package(
    name: "RoundelFuzzing",
    dependencies: [.package(url: "https://github.com/apple/swift-system", from: "1.6.0")],
    targets: [
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(name: "CLinux"),
        module("Support", ["CLinux", systemPackage]),
        module("DBus", ["Support", "CDBus", "CLinux", systemPackage]),
        module("FileWatch", ["Support", "CLinux", systemPackage]),
        module("RoundelBus", ["DBus", "Support", "CLinux", systemPackage]),
        module("BadgeEngine", ["RoundelBus", "Support"]),
        module(
            "BadgeService",
            ["DBus", "RoundelBus", "BadgeEngine", "FileWatch", "Support", "CLinux", systemPackage]),
        module("SyncCore", [systemPackage]),
        // Without the client, which needs packages that take minutes to build.
        module("WebDAVWire", ["SyncCore", "Support", "CExpat"], path: "Sources/Remotes/WebDAV/Wire"),
        .target(name: "CFuzzer", path: "Targets/CFuzzer"),
        .executableTarget(
            name: "fuzz-readers",
            dependencies: [
                "CFuzzer", "DBus", "RoundelBus", "BadgeEngine", "BadgeService", "WebDAVWire", systemPackage,
            ],
            path: "Targets/FuzzReaders", swiftSettings: strict),
    ]
)
