internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import SystemPackage
package import TestSupport

/// A folder that `roundel-mount` serves, in a directory of a test's own.
package final class MountedFolder {
    private static let name = "folder"

    package let base: TemporaryDirectory
    /// What programs see.
    package let path: String
    /// What is behind.
    package let contents: String
    private let environment: [String: String]
    private let user: UInt32?
    private var program: RunningProgram?

    /// Where this is false, tests are skipped; but in continuous integration they fail.
    package static var isPossible: Bool {
        let canMount = access("/dev/fuse", R_OK | W_OK) == 0 && access("/usr/bin/fusermount3", X_OK) == 0
        return canMount || getenv("CI") != nil
    }

    /// Where the folder is, to choose the file system: `ROUNDEL_EDGE_PLACE`.
    package static var place: String? { getenv("ROUNDEL_EDGE_PLACE").map { String(cString: $0) } }

    /// Whether files there can share what they hold.
    package static let hasClones: Bool = {
        guard let probe = try? TemporaryDirectory(in: place), (try? probe.write("x", to: "from")) != nil else {
            return false
        }
        let (from, to) = (
            open(probe("from").string, O_RDONLY | O_CLOEXEC),
            open(probe("to").string, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        )
        defer { for file in [from, to] { close(file) } }
        return clinux_clone(from, to) == 0
    }()

    /// Whether the file system there reserves room beyond what is written, which counts as data or as a hole by what
    /// happens to be cached: XFS.
    package static let reservesAhead: Bool = {
        guard let probe = try? TemporaryDirectory(in: place), (try? probe.write("x", to: "probe")) != nil else {
            return false
        }
        let file = open(probe("probe").string, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var type: UInt64 = 0
        return clinux_file_system_type(file, &type) == 0 && type == 0x5846_5342
    }()

    /// - Parameter user: Whose folder it is; nil for that of the tests.
    package init(user: UInt32? = nil) throws {
        base = try TemporaryDirectory(in: Self.place)
        self.user = user
        (path, contents) = (base("folder").string, base("contents").string)
        for name in ["folder", "contents", "run", "state/roundel/mounts"] { try base.makeDirectory(name) }
        let settings = MountSettings(folder: base("folder"), contents: base("contents"))
        try base.write(settings.text, to: "state/roundel/mounts/\(Self.name)")
        if let user { for name in ["", "folder", "contents", "run"] { chown(base[name].string, user, user) } }
        environment = RunningProgram.inheritedEnvironment.merging([
            "XDG_STATE_HOME": base("state").string, "XDG_RUNTIME_DIR": base("run").string,
        ]) { $1 }
    }

    deinit {
        program?.kill()
        unmount()
    }

    /// Where the worker reports.
    package var socket: String { base("run/roundel/mounts/\(Self.name)").string }

    // MARK: Life

    /// Starts the program and waits until the folder is mounted.
    package func mount() throws {
        let started = try start()
        while !isMounted {
            guard started.isRunning else { throw Failure("roundel-mount ended: \(try started.finish().errors)") }
            usleep(1_000)
        }
    }

    /// Starts the program; gives what is known of its run.
    private func start() throws -> RunningProgram {
        let person = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        let started = try RunningProgram(
            person + [BuiltPrograms.path("roundel-mount"), Self.name], environment: environment,
            errorFile: base("errors").string)
        program = started
        return started
    }

    /// Whether it answers. A user's folder answers nobody else, not even root; that it is there is seen from outside.
    package var isMounted: Bool {
        var status = statfs()
        if user == nil { return statfs(path, &status) == 0 && status.f_type == 0x6573_5546 }
        let mounts = (try? SmallFile.read("/proc/self/mounts", limit: 1 << 20)) ?? nil
        return mounts.map { String(decoding: $0, as: UTF8.self).contains(" \(path) fuse.roundel ") } ?? false
    }

    /// Waits until the program has ended by itself; gives its status.
    package func waitForEnd() throws -> Int32? { try program?.wait() }

    /// Ends the program as the session does; gives its status.
    @discardableResult
    package func end() throws -> Int32? { try program?.end(with: SIGTERM) }

    /// Ends the program at any moment.
    package func kill() { program?.kill() }

    /// The process that serves.
    package var process: Int32 { program?.identifier ?? 0 }

    /// Whether the program runs still.
    package var isRunning: Bool { program?.isRunning ?? false }

    /// Takes away what a killed program left.
    package func unmount() { _ = cfuse_unmount(path) }

    // MARK: Paths

    package func callAsFunction(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
    package func behind(_ name: String) -> String { name.isEmpty ? contents : "\(contents)/\(name)" }

    /// Whether what is behind a name has a mark.
    package func isMarked(_ name: String) -> Bool { getxattr(behind(name), "user.roundel.online", nil, 0) > 0 }
}
