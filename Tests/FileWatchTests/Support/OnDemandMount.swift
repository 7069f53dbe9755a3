import CLinux
import Glibc
import SystemPackage
import TestSupport

/// A folder that `roundel-mount` serves, of which every file is here.
final class OnDemandMount {
    private static let name = "watched"

    private let folder: FilePath
    private let environment: [String: String]
    private var program: RunningProgram?

    /// Where this is false the test is skipped, but in continuous integration it fails.
    static var isPossible: Bool {
        let canMount = access("/dev/fuse", R_OK | W_OK) == 0 && access("/usr/bin/fusermount3", X_OK) == 0
        return canMount || getenv("CI") != nil
    }

    /// Makes the directory `name` that it is to be mounted at, beside what is needed for that.
    init(_ name: String, in base: TemporaryDirectory) throws {
        folder = base(name)
        for directory in [name, "contents", "run"] { try base.makeDirectory(directory) }
        try base.write("folder=\(folder)\ncontents=\(base("contents"))\n", to: "state/roundel/mounts/\(Self.name)")
        environment = RunningProgram.inheritedEnvironment.merging([
            "XDG_STATE_HOME": base("state").string, "XDG_RUNTIME_DIR": base("run").string,
        ]) { $1 }
    }

    deinit {
        program?.kill()
        takeAway()
    }

    /// Starts the program and waits until the folder is mounted. What a killed one has left it takes away itself.
    func mount() throws {
        let started = try RunningProgram(
            [BuiltPrograms.path("roundel-mount"), Self.name], environment: environment)
        program = started
        while !isMounted {
            guard started.isRunning else { throw Failure("roundel-mount ended: \(try started.finish().errors)") }
            usleep(1_000)
        }
    }

    /// Whether it answers.
    private var isMounted: Bool {
        var status = statfs()
        return statfs(folder.string, &status) == 0 && status.f_type == 0x6573_5546
    }

    /// Ends the program, which unmounts.
    func end() { _ = try? program?.end(with: SIGTERM) }

    /// Ends the program and leaves a mount that answers nothing.
    func kill() { program?.kill() }

    private func takeAway() {
        guard
            let child = try? RunningProgram(
                ["fusermount3", "-uqz", "--", folder.string], environment: RunningProgram.inheritedEnvironment)
        else { return }
        _ = try? child.wait()
    }
}
