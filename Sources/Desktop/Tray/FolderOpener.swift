internal import BadgeCore
internal import CLinux
internal import DBus
internal import Glibc
internal import RoundelBus

/// Shows folders in the person's file manager, with what lets its window take the focus: over the bus
/// (org.freedesktop.FileManager1), and where no file manager is on it, by the program of xdg-utils.
final class FolderOpener {
    private let bus: Connection
    private var count = 0

    private static let fileManager = "org.freedesktop.FileManager1"
    private static let program = "xdg-open"
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
            // One that takes long may still open its window; a second one would only be in the way.
            guard case .failure(let error) = result, error.standard != .noReply else { return }
            let problem = Self.start([Self.program, folder.uri], startup)
            guard problem != 0 else { return }
            log(
                .warning,
                "\(folder) cannot be shown. No file manager is on the bus: \(error.message) \(Self.program) cannot be "
                    + "started: \(String(cString: strerror(problem))). Install one of them.")
        }
    }

    private static func start(_ words: [String], _ startup: String) -> Int32 {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return clinux_start_program(copies.map { UnsafePointer($0) } + [nil], startup)
    }

    /// The token that came with the click; for X11 one that carries its time (Startup Notification Specification).
    private func startupID(_ options: ActivationOptions) -> String {
        if let token = options.activationToken, !token.isEmpty { return token }
        guard let time = options.timestamp, time != 0 else { return "" }
        count += 1
        return "roundeld-\(getpid())-\(count)_TIME\(time)"
    }
}
