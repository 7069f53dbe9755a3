internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Starts and ends the program that mounts a folder: as a unit of the user's service manager, if that knows the unit,
/// otherwise as a program that outlives the worker as well, because others work in the folder.
final class MountRunner {
    private let bus: Connection
    private let loop: EventLoop
    private let launcher: ProgramLauncher

    private static let manager = "org.freedesktop.systemd1"
    private static let managerPath: ObjectPath = "/org/freedesktop/systemd1"
    private static let name = "roundel-mount"

    init(bus: Connection, loop: EventLoop) {
        (self.bus, self.loop) = (bus, loop)
        launcher = ProgramLauncher(
            handOver: { _, _, done in done(false) },
            whenReadable: { descriptor, body in
                var source: FileDescriptorSource?
                source = loop.watch(fileDescriptor: descriptor, interest: .read) { _ in
                    guard let watched = source else { return }
                    source = nil
                    watched.cancel()
                    body()
                }
            })
    }

    /// Where `roundel-mount` is: beside this program, or in PATH.
    static var mountProgram: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        if count > 0 {
            let beside = FilePath(platformString: Array(buffer.prefix(count)) + [0]).removingLastComponent()
                .appending(name).string
            if access(beside, X_OK) == 0 { return beside }
        }
        return InstalledProgram.path(of: name)
    }

    /// Starts the program for a folder. If it runs already, nothing happens.
    ///
    /// - Parameter onFailure: Is told why it could not be started, or that it has ended.
    func start(_ id: String, _ onFailure: @escaping (String) -> Void) {
        callManager("StartUnit", [.string(Self.unit(id)), .string("replace")]) { [self] isStarted in
            // It is there before the next session opens files in it.
            if isStarted { return enable(id) }
            guard let program = Self.mountProgram else { return onFailure(tr("{1} is not installed.", Self.name)) }
            launcher.start([program, id], startup: "") { outcome in
                switch outcome {
                case .handedOver: break
                case .ended(let status): onFailure(tr("{1} ended with status {2}.", Self.name, "\(status)"))
                case .failed(let reason): onFailure(reason)
                }
            }
        }
    }

    /// Takes the mount away, whoever made it; its program ends then. Programs that have files open in it keep them.
    func unmount(_ id: String, _ done: @escaping () -> Void) {
        let unit = Self.unit(id)
        callManager("DisableUnitFiles", [.strings([unit]), .bool(false)]) { _ in }
        guard let program = Self.mountProgram else { return done() }
        launcher.start([program, "--unmount", id], startup: "") { [self] _ in
            callManager("StopUnit", [.string(unit), .string("replace")]) { _ in done() }
        }
    }

    private func enable(_ id: String) {
        callManager("EnableUnitFiles", [.strings([Self.unit(id)]), .bool(false), .bool(true)]) { _ in }
    }

    private static func unit(_ id: String) -> String { "roundel-mount@\(id).service" }

    private func callManager(_ method: String, _ arguments: [DBusValue], _ done: @escaping (_ isDone: Bool) -> Void) {
        bus.call(
            Self.manager, Self.managerPath, "org.freedesktop.systemd1.Manager", method,
            { writer in for argument in arguments { try writer.append(value: argument) } }
        ) { result in
            if case .failure(let error) = result { log(.debug, "\(method): \(error.message)") }
            if case .success = result { done(true) } else { done(false) }
        }
    }
}
