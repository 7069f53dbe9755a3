import Glibc
import RoundelBus
import TestSupport

/// A badge service, a worker and one pair of directories that it keeps in step, driven by the command line.
final class SyncWorld {
    let world: World
    let local: String
    let remote: String
    private(set) var worker: RunningProgram?

    /// - Parameters:
    ///   - adds: whether the folder is added and synced at once.
    ///   - letsTimeRunOut: as in `Installation`.
    ///   - world: an installation that was prepared, whose services do not run yet; nil for a plain one.
    init(
        adds: Bool = true, files: [String: String] = [:], letsTimeRunOut: Bool = false, in world: World? = nil
    ) throws {
        self.world = try world ?? World(starts: false, letsTimeRunOut: letsTimeRunOut)
        try self.world.startService()
        local = try self.world.makeFolder("Sync")
        remote = try self.world.makeFolder("Remote")
        for (name, text) in files { try write(name, text) }
        try startWorker()
        if adds {
            let outcome = try roundel("add", local, remote, "--wait")
            guard outcome.status == 0 else { throw Failure("add: \(outcome)") }
        }
    }

    deinit { worker?.kill() }

    /// Starts the worker and waits until it has its name.
    func startWorker() throws {
        let started = try world.installation.start("roundel-worker")
        try world.until("the worker has its name") {
            guard started.isRunning else { throw Failure("the worker ended: \(world.installation.logs)") }
            return try world.process(of: Names.worker) == started.identifier
        }
        worker = started
    }

    /// Kills the worker; the next one begins from what was durable.
    func killWorker() {
        worker?.kill()
        worker = nil
    }

    @discardableResult
    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try world.installation.run("roundel", arguments)
    }

    /// `roundel sync --wait --json`.
    @discardableResult
    func sync(_ options: String...) throws -> SyncOutcome {
        SyncOutcome(try world.installation.run("roundel", ["sync", "--wait", "--json", "--timeout", "60"] + options))
    }

    /// The badge of an item as the command line prints it.
    func badge(_ name: String) throws -> String {
        let output = try roundel("badge", "--json", path(name)).output
        return output.value(of: "badge") ?? output
    }

    /// Waits until an item has a badge.
    func awaitBadge(_ name: String, _ badge: String) throws {
        try world.until("\(name) is \(badge)") { try self.badge(name) == badge }
    }

    func path(_ name: String) -> String { name.isEmpty ? local : "\(local)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        if let slash = name.lastIndex(of: "/") { try Disk.makeDirectories(path(String(name[..<slash]))) }
        try Disk.write(path(name), text)
    }

    func writeRemote(_ name: String, _ text: String) throws { try Disk.write("\(remote)/\(name)", text) }

    func localTree() throws -> [String: [UInt8]?] { try Disk.tree(local) }

    func remoteTree() throws -> [String: [UInt8]?] { try Disk.tree(remote) }

    /// The texts of the files at the remote.
    func remoteTexts() throws -> [String: String] {
        try remoteTree().compactMapValues { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The texts of the files on this side.
    func localTexts() throws -> [String: String] {
        try localTree().compactMapValues { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Both sides get a version of a file that the other does not know.
    func makeConflict(_ name: String) throws {
        try roundel("pause", local)
        try write(name, "mine")
        try writeRemote(name, "theirs")
        try roundel("resume", local)
        let outcome = try sync(local)
        guard outcome.status == 2, outcome.needs == "conflicts" else { throw Failure("\(outcome)") }
    }

    /// 30 files, of which 25 are in a directory, so that they can go in one moment, however busy the machine is: what
    /// goes by and by is carried out as long as it is little.
    static let heldTogether = Dictionary(
        uniqueKeysWithValues: (0..<30).map { ($0 < 25 ? "d/f\($0)" : "f\($0)", "\($0)") })

    /// The directory of ``heldTogether`` is deleted on a side with all that is in it: 26 items.
    func deleteTogether(isLocal: Bool) throws {
        let side = isLocal ? local : remote
        try Disk.move(side + "/d", side + "-gone")
    }

    /// The paths of what waits on the remote for its name.
    /// - Parameter place: where the remote's files are, if not where the worker finds them.
    func staged(in place: String? = nil) -> [String] {
        let area = (place ?? remote) + "/.roundel"
        // The worker makes and removes these directories at any time.
        func inside(_ directory: String) -> [String] {
            ((try? Disk.names(directory)) ?? []).map { "\(directory)/\($0)" }
        }
        return inside(area).flatMap { inside($0 + "/staging") }
    }

    /// How many bytes of it there are.
    func stagedBytes(in place: String? = nil) -> Int {
        staged(in: place).map { path in
            var status = stat()
            return stat(path, &status) == 0 ? Int(status.st_size) : 0
        }.reduce(0, +)
    }

    /// Makes a conflict of a file `a` here with a directory `a` on the remote, and moves the file into the directory: it
    /// cannot take the name of what it is in. Gives the name of the file.
    func makeUndecidableConflict() throws -> String {
        try roundel("pause", local)
        try write("a", "mine")
        try Disk.remove(remote + "/a")
        try Disk.makeDirectory(remote + "/a")
        try writeRemote("a/b", "theirs")
        try roundel("resume", local)
        guard try sync().needs == "conflicts" else { throw Failure("there is no conflict") }
        let copy = try conflictCopy()
        try Disk.move(path(copy), path("a/\(copy)"))
        guard try sync().needs == "conflicts" else { throw Failure("the conflict is gone") }
        return copy
    }

    /// The name of the copy that a conflict made.
    func conflictCopy() throws -> String {
        guard let name = try Disk.names(local).first(where: { $0.contains("(conflict ") }) else {
            throw Failure("there is no copy: \(try Disk.names(local))")
        }
        return name
    }
}

/// What `roundel sync --wait --json` said.
struct SyncOutcome: CustomStringConvertible {
    let status: Int32
    private let outcome: RunningProgram.Outcome

    init(_ outcome: RunningProgram.Outcome) {
        self.outcome = outcome
        status = outcome.status
    }

    var uploaded: Int { number("uploaded") }
    var downloaded: Int { number("downloaded") }
    var moved: Int { number("moved") }
    var deletedLocal: Int { number("deleted_local") }
    var deletedRemote: Int { number("deleted_remote") }
    var errors: Int { number("errors") }
    var state: String { outcome.output.value(of: "state") ?? "?" }
    var needs: String? { outcome.output.value(of: "needs") }

    /// Whether the run did nothing.
    var isSilent: Bool { [uploaded, downloaded, moved, deletedLocal, deletedRemote, errors].allSatisfy { $0 == 0 } }

    private func number(_ key: String) -> Int { outcome.output.value(of: key).flatMap { Int($0) } ?? -1 }

    var description: String { "\(outcome)" }
}

extension String {
    /// The value of a key's first occurrence in JSON, without its quotes: enough for the values here, which hold
    /// neither quotes nor braces.
    func value(of key: String) -> String? {
        guard let found = firstRange(of: "\"\(key)\":") else { return nil }
        let rest = self[found.upperBound...]
        if rest.hasPrefix("\"") { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != "," && $0 != "}" && $0 != "]" })
    }
}
