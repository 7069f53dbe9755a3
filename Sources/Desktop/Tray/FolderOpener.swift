internal import BadgeCore
internal import DBus
internal import Glibc
internal import RoundelBus

/// Shows folders in the person's file manager (org.freedesktop.FileManager1), with what lets its window take the focus.
final class FolderOpener {
    private let bus: Connection
    private var count = 0

    private static let fileManager = "org.freedesktop.FileManager1"
    private static let path: ObjectPath = "/org/freedesktop/FileManager1"

    init(bus: Connection) {
        self.bus = bus
    }

    /// Opens a folder. The file manager looks at it; this process does not.
    func open(_ folder: ItemURI, _ options: ActivationOptions) {
        let startup = startupID(options)
        bus.call(
            Self.fileManager, Self.path, Self.fileManager, "ShowFolders",
            { writer in
                try writer.append(uris: [folder])
                try writer.append(startup)
            }
        ) { result in
            guard case .failure(let error) = result else { return }
            log(
                .warning,
                "\(folder) cannot be shown: \(error.message) Install a file manager that offers \(Self.fileManager).")
        }
    }

    /// The token that came with the click; for X11 one that carries its time (Startup Notification Specification).
    private func startupID(_ options: ActivationOptions) -> String {
        if let token = options.activationToken, !token.isEmpty { return token }
        guard let time = options.timestamp, time != 0 else { return "" }
        count += 1
        return "roundeld-\(getpid())-\(count)_TIME\(time)"
    }
}
