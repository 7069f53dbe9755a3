internal import DBus
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The parts of the desktop, other than file managers, in which Roundel shows itself: tray, notifications, sidebar.
struct DesktopSurvey: Sendable {
    /// The bus names that have an owner or can be started.
    let names: Set<String>
    /// The contents of the files below `cloud-providers` in the system's data directories.
    let cloudProviders: [String]
    /// Whether a program is installed whose sidebar shows accounts.
    let hasSidebar: Bool

    static let trayWatcher = "org.kde.StatusNotifierWatcher"
    static let notifications = "org.freedesktop.Notifications"

    var findings: [Finding] { [tray, notifying] + (hasSidebar ? [sidebar] : []) }

    private var tray: Finding {
        let isThere = names.contains(Self.trayWatcher)
        return Finding(.tray, isThere ? .good : .advice, .tray(isThere), remedy: isThere ? nil : .addTray)
    }

    private var notifying: Finding {
        let isThere = names.contains(Self.notifications)
        return Finding(
            .notifications, isThere ? .good : .advice, .notifications(isThere),
            remedy: isThere ? nil : .addNotifications)
    }

    private var sidebar: Finding {
        let isThere = cloudProviders.contains { $0.contains("BusName=\(Names.service)") }
        return Finding(.sidebar, isThere ? .good : .advice, .sidebar(isThere), remedy: isThere ? nil : .addSidebar)
    }
}

extension DesktopSurvey {
    /// Examines this session.
    static func ofThisSession(_ bus: AsyncConnection, activatable: [String], hasSidebar: Bool) async -> DesktopSurvey {
        var names = Set(activatable)
        for name in [trayWatcher, notifications] where (try? await bus.owner(of: name)) ?? nil != nil {
            names.insert(name)
        }
        return DesktopSurvey(
            names: names,
            cloudProviders: BaseDirectories().systemData.flatMap { texts(in: $0.appending("cloud-providers")) },
            hasSidebar: hasSidebar)
    }

    /// The beginning of every file in a directory, which is the only relevant part; empty if there is no directory.
    private static func texts(in directory: FilePath) -> [String] {
        let entries = (try? ListedItem.list(directory)) ?? []
        return entries.filter { $0.kind != .directory }.compactMap { entry in
            let path = (Array("\(directory)/".utf8) + entry.name).map { CChar(bitPattern: $0) } + [0]
            let bytes = try? SmallFile.read(beginningOf: FilePath(platformString: path), count: 4096)
            return bytes.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
