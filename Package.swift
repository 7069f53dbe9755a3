// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in the Swift 6 language mode with these flags; one list, so that none is forgotten.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

func module(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "Roundel",
    products: [
        .executable(name: "roundeld", targets: ["roundeld"]),
        .executable(name: "roundel-worker", targets: ["roundel-worker"]),
        .executable(name: "roundel", targets: ["roundel"]),
        .executable(name: "roundel-mount", targets: ["roundel-mount"]),
        .executable(name: "roundel-syncthing", targets: ["roundel-syncthing"]),
        .executable(name: "roundel-git", targets: ["roundel-git"]),
        .executable(name: "roundel-marks", targets: ["roundel-marks"]),
        .executable(name: "roundel-window", targets: ["roundel-window"]),
        .library(name: "RoundelBus", targets: ["RoundelBus"]),
        .library(name: "DBus", targets: ["DBus"]),
        .library(name: "FileWatch", targets: ["FileWatch"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "CLinux"),
        .target(name: "CFuse"),
        .systemLibrary(
            name: "CGtk4", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),

        module("Support", ["CLinux", systemPackage]),
        module("DBus", ["Support", "CDBus", "CLinux", systemPackage]),
        module("FileWatch", ["Support", "CLinux", systemPackage]),
        module("MountProtocol", ["Support", systemPackage]),
        module("OnDemand", ["MountProtocol", "Support", "CFuse", "CLinux", systemPackage]),
        module("RoundelBus", ["DBus", "Support", "CLinux", systemPackage]),
        module("Launching", ["RoundelBus", "DBus", "Support"]),
        module("BadgeEngine", ["RoundelBus", "Support"]),
        module(
            "BadgeService",
            ["DBus", "RoundelBus", "BadgeEngine", "FileWatch", "Support", "CLinux", systemPackage]),
        module("Desktop", ["BadgeService", "Launching", "DBus", "RoundelBus", "Support", systemPackage]),
        module("SyncCore", []),
        module(
            "SyncEngine",
            [
                "SyncCore", "MountProtocol", "CCrypto", "CLinux", "CSQLite", "Support", systemPackage, grdb, sqlite,
            ]),

        module("Remotes", ["SyncEngine", "SyncCore", "Support", systemPackage], path: "Sources/Remotes/Kind"),
        module(
            "Directory", ["Remotes", "SyncEngine", "SyncCore", "RoundelBus", "Support", systemPackage],
            path: "Sources/Remotes/Directory"),
        module(
            "WebDAV",
            [
                "Remotes", "SyncEngine", "SyncCore", "Support", "CCrypto", "CExpat", httpClient, nio, nioHTTP, nioPosix,
                nioWebSocket, nioTLS,
            ],
            path: "Sources/Remotes/WebDAV"),
        module(
            "Rclone",
            ["Remotes", "SyncEngine", "SyncCore", "Support", "CLinux", systemPackage, httpClient, nio, nioHTTP],
            path: "Sources/Remotes/Rclone"),
        module("Secrets", ["DBus", "Support", "CLinux", "CCrypto"]),

        .target(
            name: "SimulatedWorld", dependencies: ["SyncCore", "TestSupport"], path: "Tests/SimulatedWorld",
            swiftSettings: strict),
        .executableTarget(
            name: "simulate", dependencies: ["SimulatedWorld", "SyncCore", "SyncEngine", argumentParser],
            path: "Tests/Simulate", swiftSettings: strict),

        module(
            "SyncService",
            [
                "SyncEngine", "SyncCore", "MountProtocol", "Remotes", "Directory", "WebDAV", "Rclone", "Secrets",
                "Launching", "RoundelBus", "DBus", "FileWatch", "Support", "CLinux", systemPackage,
            ]),

        module(
            "Syncthing",
            [
                "Launching", "RoundelBus", "DBus", "Support", "CExpat", systemPackage, nio, nioHTTP, nioPosix, nioTLS,
            ]),
        module(
            "Git", ["Launching", "RoundelBus", "DBus", "Support", "CLinux", systemPackage]),
        module("Marks", ["Launching", "RoundelBus", "DBus", "Support", "CLinux", systemPackage]),

        module("Client", ["Setup", "RoundelBus", "DBus", "Secrets", "Support"]),
        module(
            "WindowModel",
            ["Client", "Setup", "MountProtocol", "RoundelBus", "DBus", "Secrets", "Support", systemPackage],
            path: "Sources/Window/Model"),
        module(
            "Window",
            ["WindowModel", "Client", "Setup", "RoundelBus", "DBus", "Secrets", "Support", "CGtk4", systemPackage],
            path: "Sources/Window/Shell"),
        module("Checking", ["RoundelBus", "DBus", "Support"]),
        module("Setup", ["MountProtocol", "RoundelBus", "DBus", "Support", "CLinux", systemPackage]),

        program("roundeld", ["BadgeService", "Desktop"]),
        program("roundel-worker", ["SyncService"]),
        program("roundel-mount", ["OnDemand"]),
        program("roundel-syncthing", ["Syncthing"]),
        program("roundel-git", ["Git"]),
        program("roundel-marks", ["Marks"]),
        program("roundel-window", ["Window"]),
        program(
            "roundel",
            [
                "BadgeService", "Checking", "Client", "Setup", "MountProtocol", "RoundelBus", "DBus", "Secrets",
                "Support",
                "CLinux", systemPackage, argumentParser,
            ]),

        .target(
            name: "TestSupport", dependencies: ["DBus", "CLinux", systemPackage], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("SupportTests", ["Support", "TestSupport", systemPackage]),
        tests("DBusTests", ["DBus", "Support", "CDBus", "CLinux", "TestSupport"]),
        .executableTarget(
            name: "watch-oracle", dependencies: ["FileWatch", "CInotifyTools", "CLinux", systemPackage],
            path: "Tests/WatchOracle", swiftSettings: strict),
        .testTarget(
            name: "FileWatchTests",
            dependencies: [
                "FileWatch", "Support", "CLinux", "TestSupport", "watch-oracle", "roundel-mount", systemPackage,
            ],
            exclude: ["Cases"], swiftSettings: strict),
        .target(
            name: "MountSupport",
            dependencies: ["MountProtocol", "CFuse", "CLinux", "Support", "TestSupport", systemPackage],
            path: "Tests/MountSupport", swiftSettings: strict),
        tests(
            "OnDemandTests",
            [
                "OnDemand", "MountSupport", "MountProtocol", "CFuse", "CLinux", "Support", "TestSupport",
                "roundel-mount",
                systemPackage,
            ]),
        tests("BadgeEngineTests", ["BadgeEngine", "RoundelBus", "Support", "TestSupport", systemPackage]),
        tests(
            "BadgeServiceTests",
            ["BadgeService", "BadgeEngine", "RoundelBus", "FileWatch", "Support", "TestSupport", systemPackage]),
        tests(
            "DesktopTests",
            ["Desktop", "BadgeService", "RoundelBus", "DBus", "Support", "TestSupport", systemPackage]),
        tests("RoundelBusTests", ["RoundelBus", "DBus", "Support", "TestSupport"]),
        tests("SyncthingTests", ["Syncthing", "RoundelBus", "Support", "TestSupport", systemPackage]),
        tests("MarksTests", ["Marks", "RoundelBus", "Support", "TestSupport", systemPackage]),
        tests("GitTests", ["Git", "RoundelBus", "DBus", "Support", "TestSupport", systemPackage]),
        tests("LaunchingTests", ["Launching", "DBus", "Support", "TestSupport"]),
        .testTarget(
            name: "SyncCoreTests", dependencies: ["SyncCore", "SimulatedWorld", "TestSupport"], exclude: ["Cases"],
            swiftSettings: strict),
        tests(
            "SyncEngineTests",
            [
                "SyncEngine", "SyncCore", "MountProtocol", "MountSupport", "RemoteSupport", "SimulatedWorld", "Support",
                "TestSupport", "CLinux", "roundel-mount", systemPackage, grdb,
            ]),
        .target(
            name: "RemoteSupport", dependencies: ["SyncEngine", "SyncCore", "Support", "TestSupport", systemPackage],
            path: "Tests/RemoteSupport", swiftSettings: strict),
        tests(
            "WebDAVTests",
            ["WebDAV", "Remotes", "SyncEngine", "SyncCore", "RemoteSupport", "TestSupport", nio, nioTLS, systemPackage]),
        tests(
            "RcloneTests",
            ["Rclone", "Remotes", "SyncEngine", "SyncCore", "RemoteSupport", "TestSupport", systemPackage]),
        .target(
            name: "StandInSecrets", dependencies: ["Secrets", "DBus", "TestSupport", systemPackage],
            path: "Tests/StandInSecrets", swiftSettings: strict),
        tests("SecretsTests", ["Secrets", "StandInSecrets", "WebDAV", "DBus", "TestSupport"]),
        .executableTarget(
            name: "edge-runner", dependencies: ["SyncEngine", "SyncCore", systemPackage], path: "Tests/EdgeRunner",
            swiftSettings: strict),
        tests(
            "SyncServiceTests",
            [
                "SyncService", "SyncEngine", "SyncCore", "MountProtocol", "Remotes", "WebDAV", "Rclone", "Secrets",
                "RoundelBus", "DBus", "Support", "CLinux", "StandInSecrets", "RemoteSupport", "TestSupport",
                systemPackage,
            ]),
        .target(
            name: "StandInServices", dependencies: ["RoundelBus", "DBus", "TestSupport"],
            path: "Tests/StandInServices", swiftSettings: strict),
        tests(
            "ClientTests",
            [
                "Client", "Setup", "RoundelBus", "DBus", "Secrets", "Support", "StandInSecrets", "StandInServices",
                "TestSupport",
            ]),
        tests(
            "WindowTests",
            [
                "WindowModel", "Client", "Setup", "RoundelBus", "DBus", "Secrets", "Support", "TestSupport",
                systemPackage,
            ]),
        tests("CheckingTests", ["Checking", "RoundelBus", "DBus", "Support", "TestSupport"]),
        tests("SetupTests", ["Setup", "MountProtocol", "RoundelBus", "Support", "TestSupport", systemPackage]),
        tests(
            "CommandLineTests",
            [
                "roundel", "roundel-worker", "Client", "Setup", "RoundelBus", "DBus", "Secrets", "Support",
                "StandInSecrets", "StandInServices", "TestSupport", systemPackage, argumentParser,
            ]),
        .executableTarget(
            name: "sample-provider", dependencies: ["RoundelBus", "DBus", "Support", systemPackage],
            path: "Tests/SampleProvider", swiftSettings: strict),
        .executableTarget(
            name: "sample-host", dependencies: ["RoundelBus", "DBus", systemPackage],
            path: "Tests/SampleHost", swiftSettings: strict),
        tests(
            "IntegrationTests",
            [
                "RoundelBus", "DBus", "CLinux", "TestSupport", "roundeld", "roundel-worker", "roundel-mount", "roundel",
                "roundel-git", "roundel-marks", "roundel-syncthing", "sample-provider", "sample-host",
            ],
            path: "Tests/Integration"),
    ]
)
