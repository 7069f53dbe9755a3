import DBus
import Glibc
import RoundelBus
import TestSupport

/// A folder on demand with the real services and a real mount; a directory is its remote.
final class OnDemandWorld {
    let sync: SyncWorld
    let bus: Connection
    var world: World { sync.world }
    private lazy var host = Result { try sync.world.host() }

    /// Where this is false, tests are skipped; but in continuous integration they fail.
    static var isPossible: Bool {
        let canMount = access("/dev/fuse", R_OK | W_OK) == 0 && access("/usr/bin/fusermount3", X_OK) == 0
        return canMount || getenv("CI") != nil
    }

    /// - Parameters:
    ///   - remote: The files of the remote.
    ///   - local: The files that the folder has before it is synced.
    ///   - adds: Whether the folder is added as one on demand, and synced.
    init(remote: [String: String], local: [String: String] = [:], adds: Bool = true, in world: World? = nil) throws {
        sync = try SyncWorld(adds: false, files: local, in: world)
        bus = try sync.world.connect()
        for (name, text) in remote {
            if let slash = name.lastIndex(of: "/") { try Disk.makeDirectories("\(sync.remote)/\(name[..<slash])") }
            try sync.writeRemote(name, text)
        }
        guard adds else { return }
        let outcome = try sync.roundel("add", sync.local, sync.remote, "--on-demand", "--wait")
        guard outcome.status == 0 else { throw Failure("add: \(outcome)") }
    }

    deinit { endMount() }

    /// Takes the mount away; its program ends.
    func endMount() {
        _ = try? RunningProgram(
            ["/usr/bin/fusermount3", "-uqz", "--", sync.local], environment: RunningProgram.inheritedEnvironment
        ).finish()
    }

    /// Whether something is mounted at the folder.
    var isMounted: Bool {
        (try? Disk.text("/proc/self/mounts").contains(" \(sync.local) fuse.roundel ")) ?? false
    }

    /// The program that serves the folder; nil if there is none.
    func mountProgram() throws -> pid_t? {
        for name in try Disk.names("/proc") {
            guard let process = pid_t(name), let line = Disk.textIfThere("/proc/\(name)/cmdline") else { continue }
            let words = line.split(separator: "\0")
            guard words.count == 2, words[0].hasSuffix("/roundel-mount"),
                Disk.textIfThere("/proc/\(name)/environ")?.contains("HOME=\(world.installation.root)/home") == true
            else { continue }
            return process
        }
        return nil
    }

    /// Calls the interface of contents; gives the reply.
    @discardableResult
    func call(_ method: String, _ arguments: DBusValue..., options: VariantMap = [:]) throws -> [DBusValue] {
        try world.call(
            bus, Names.worker, Names.workerPath, EngineInterface.contents.name, method, arguments + [.map(options)])
    }

    /// The name of the error with which a call is refused; nil if it is not.
    func refusal(_ method: String, _ arguments: DBusValue..., options: VariantMap = [:]) throws -> String? {
        do {
            _ = try world.call(
                bus, Names.worker, Names.workerPath, EngineInterface.contents.name, method,
                arguments + [.map(options)])
            return nil
        } catch let error as DBusError {
            return shortName(error)
        }
    }

    /// Attributes of an item, as hosts get them.
    func attributes(_ name: String) throws -> VariantMap {
        try host.get().attributes(uri(sync.path(name)))
    }

    /// Waits until the contents of an item are at a place.
    func await(_ name: String, _ place: ContentsPlace) throws {
        try world.until("\(name) is \(place)") { try self.attributes(name).string("contents") == place.rawValue }
    }

    /// What the system says of a file.
    func status(_ path: String) throws -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure("stat \(path): \(errno)") }
        return status
    }

    /// A program of its own that reads a file.
    func reading(_ name: String) throws -> RunningProgram {
        try RunningProgram(
            ["/bin/cat", "--", sync.path(name)],
            environment: RunningProgram.inheritedEnvironment.merging(["LC_ALL": "C"]) { $1 })
    }

    /// What a program reads of a file.
    func read(_ name: String) throws -> String {
        let outcome = try reading(name).finish()
        guard outcome.status == 0 else { throw Failure("\(name): \(outcome.errors)") }
        return outcome.output
    }
}
