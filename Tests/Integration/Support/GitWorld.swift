import DBus
import RoundelBus
import TestSupport

/// A badge service and the engine for git, which the bus starts once it is turned on, with the real git behind a script
/// that notes each call.
final class GitWorld {
    let world: World
    let host: HostClient

    init() throws {
        world = try World(starts: false)
        let installation = world.installation
        try installation.addService("org.roundel.Git1", program: BuiltPrograms.path("roundel-git"))
        try installation.addManifest(ofSources: "git")
        try installation.addProgram(
            "git",
            """
            #!/bin/sh
            echo "$*" >>'\(installation.root)/git.log'
            case " $* " in *"/Slow "*) while [ ! -e '\(installation.root)/go' ]; do sleep 0.05; done ;; esac
            exec /usr/bin/git "$@"
            """)
        try world.startService()
        host = try world.host()
    }

    /// The calls of git so far.
    func calls() -> [String] {
        (Disk.textIfThere("\(world.installation.root)/git.log") ?? "").split(separator: "\n").map(String.init)
    }

    /// Runs git as the person does, in a terminal.
    @discardableResult
    func git(_ directory: String, _ arguments: String...) throws -> String {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        let outcome = try world.installation.run(
            bytes: "/usr/bin/git", (["-C", directory] + who + arguments).map { Array($0.utf8) })
        guard outcome.status == 0 else { throw Failure("git \(arguments): \(outcome)") }
        return outcome.output
    }

    @discardableResult
    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try world.installation.run("roundel", arguments)
    }

    /// Makes a repository whose files are committed.
    func makeRepository(_ name: String, _ files: [String: String]) throws -> String {
        let path = try world.makeFolder(name)
        try git(path, "init", "-q")
        for (file, text) in files { try write(path, file, text) }
        try git(path, "add", "-A")
        try git(path, "commit", "-q", "--allow-empty", "-m", "first")
        return path
    }

    func write(_ directory: String, _ name: String, _ text: String) throws {
        let path = "\(directory)/\(name)"
        try Disk.makeDirectories(path.split(separator: "/").dropLast().map { "/" + $0 }.joined())
        try Disk.write(path, text)
    }

    /// Turns the engine on for a folder.
    func add(_ path: String) throws {
        let outcome = try roundel("git", "add", path)
        guard outcome.status == 0 else { throw Failure("roundel git add: \(outcome)\n\(logs)") }
        try world.until("the folder is there") { try host.folders().contains(uri(path)) }
    }

    /// Waits until the items of a directory have these badges.
    func await(_ directory: String, _ badges: [String: String]) throws {
        var seen: [String: String] = [:]
        try world.until("\(badges) in \(directory); seen: \(seen), \(calls().suffix(5))") {
            let rows = try host.badgesAskedOnce(uri(directory), badges.keys.sorted())
            seen = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.badge) })
            return seen == badges
        }
    }

    private var logs: String { Disk.textIfThere("\(world.installation.root)/bus.log") ?? "" }
}
