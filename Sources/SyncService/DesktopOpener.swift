internal import BadgeCore
internal import DBus
internal import Foundation
internal import Glibc
internal import RoundelBus

/// Shows folders and items in the person's file manager, with what lets its window take the focus.
///
/// A window that a program opens by itself stays behind the others; one that carries the token of the click that
/// asked for it (Wayland), or at least its time (X11), comes to the front.
final class DesktopOpener {
    typealias Finish = (Result<Void, RoundelError>) -> Void

    private let bus: Connection
    private let control: LoopControl
    private var startupCount = 0

    private static let fileManager = "org.freedesktop.FileManager1"
    private static let fileManagerPath: ObjectPath = "/org/freedesktop/FileManager1"
    /// The program of xdg-utils that opens what a file manager on the bus does not.
    private static let program = "xdg-open"

    init(bus: Connection, control: LoopControl) {
        self.bus = bus
        self.control = control
    }

    /// Opens folders.
    func open(_ folders: [String], _ options: ActivationOptions, _ finished: @escaping Finish) {
        call("ShowFolders", folders, options, fallback: folders, finished)
    }

    /// Opens the folders that hold these items, with the items selected.
    func show(_ items: [String], _ options: ActivationOptions, _ finished: @escaping Finish) {
        let folders = items.compactMap { (try? ItemURI($0))?.parent?.uri }
        call("ShowItems", items, options, fallback: folders, finished)
    }

    private func call(
        _ method: String, _ uris: [String], _ options: ActivationOptions, fallback folders: [String],
        _ finished: @escaping Finish
    ) {
        let startup = startupID(options)
        bus.call(
            Self.fileManager, Self.fileManagerPath, Self.fileManager, method,
            { writer in
                try writer.append(strings: uris)
                try writer.append(startup)
            }
        ) { [weak self] result in
            switch result {
            case .success: finished(.success(()))
            case .failure(let error):
                // One that takes long may still open its window; a second one would only be in the way.
                guard let self, let folder = folders.first, error.standard != .noReply else {
                    let sentence = "No file manager could be opened: \(error.message)"
                    return finished(.failure(RoundelError(.providerFailed, sentence)))
                }
                runProgram(folder, startup, finished)
            }
        }
    }

    /// The token that came with the click; for X11 one that carries its time (Startup Notification Specification).
    private func startupID(_ options: ActivationOptions) -> String {
        if let token = options.activationToken, !token.isEmpty { return token }
        guard let time = options.timestamp else { return "" }
        startupCount += 1
        return "roundel-\(getpid())-\(startupCount)_TIME\(time)"
    }

    // MARK: Without a file manager on the bus

    private func runProgram(_ uri: String, _ startup: String, _ finished: @escaping Finish) {
        guard let child = Self.start([Self.program, uri], startup) else {
            let sentence = "There is no file manager on the bus, and \(Self.program) is not installed."
            return finished(.failure(RoundelError(.providerFailed, sentence)))
        }
        // Called on the loop's thread, as it was given; the queue only carries it there.
        nonisolated(unsafe) let finished = finished
        DispatchQueue.global().async { [control] in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            let isDone = status == 0
            control.post {
                let sentence = "\(Self.program) found no program that shows folders."
                finished(isDone ? .success(()) : .failure(RoundelError(.providerFailed, sentence)))
            }
        }
    }

    private static func start(_ words: [String], _ startup: String) -> pid_t? {
        var environment = ProcessInfo.processInfo.environment
        for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
            environment[name] = startup.isEmpty ? nil : startup
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The worker reads its signals from a descriptor and so blocks them; what it starts shall not.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        return posix_spawnp(&child, words[0], nil, &attributes, arguments, variables) == 0 ? child : nil
    }
}
