internal import CPeers
internal import Glibc

/// A large folder, its remote, and the worker that syncs them.
final class ScaleTree {
    let source: String
    let remote: String
    /// What rows call it.
    let name: String
    private let session: Session
    private let options: Options
    private let directories: Int
    private let perDirectory: Int
    private var worker: Child
    private var folder: Folder?

    init(_ options: Options) throws {
        self.options = options
        let files = options.files ?? (options.isQuick ? 20_000 : 200_000)
        perDirectory = 100
        directories = max(files / 100, 1)
        name = "\(directories * 100) files in \(directories) directories"
        session = try Session(options)
        source = try session.directory.directory("source")
        remote = try session.directory.directory("remote")
        for directory in 0..<directories {
            let path = "\(source)/d\(directory)"
            mkdir(path, 0o700)
            for file in 0..<perDirectory {
                try Files.write(Array("file \(directory) \(file)\n".utf8), to: "\(path)/f\(file)")
            }
        }
        try session.startService()
        worker = try session.startWorker()
    }

    var facts: ProcessFacts { ProcessFacts(identifier: worker.identifier) }

    /// Where programs keep what is theirs.
    var home: String { session.directory.path + "/home" }

    /// A directory beside the tree.
    func other(_ name: String) throws -> String { try session.directory.directory(name) }

    // MARK: Syncing

    /// Syncs the tree for the first time; the time that this took.
    func add() throws -> Double {
        Glibc.sync()
        let added = try Folder(try session.host(), source, remote)
        folder = added
        guard try Files.count(in: remote) >= directories * perDirectory else {
            throw Failure("not everything was copied")
        }
        return added.elapsed
    }

    /// Syncs another folder.
    func add(_ path: String, to remote: String) throws -> Double {
        Glibc.sync()
        return try Folder(try session.host(), path, remote).elapsed
    }

    func sync() throws -> Double {
        guard let folder else { throw Failure("no folder") }
        return try folder.sync()
    }

    /// Has all that is in another folder looked through.
    func sync(_ path: String) throws -> Double {
        let start = now()
        let child = try Child([options.program("roundel"), "sync", path, "--wait"], environment: session.environment)
        guard child.wait() == 0 else { throw Failure("\(path) was not synced") }
        return Double(now() - start)
    }

    /// Has the tree looked through, and does not wait for it.
    func beginSync() throws -> RunningSync {
        RunningSync(
            try Child([options.program("roundel"), "sync", source, "--wait"], environment: session.environment))
    }

    func changeTenth() throws {
        for directory in 0..<directories {
            for file in 0..<(perDirectory / 10) {
                try Files.write(Array("changed \(now())\n".utf8), to: "\(source)/d\(directory)/f\(file)")
            }
        }
    }

    // MARK: Edits

    func edit(_ number: Int) throws -> Double {
        try Self.edit(source, remote, "/d\(number * 7 % directories)/f\(20 + number % 50)", number)
    }

    /// Writes a file anew and waits until the remote has it; the time that this took, in nanoseconds.
    static func edit(_ source: String, _ remote: String, _ name: String, _ number: Int) throws -> Double {
        let bytes = Array("edit \(number) \(now())\n".utf8)
        try Files.write(bytes, to: source + name)
        let start = now()
        guard wait(seconds: 60, step: 1000, until: { Files.bytes(remote + name) == bytes }) else {
            throw Failure("an edit did not arrive in 60 s")
        }
        return Double(now() - start)
    }

    /// System calls that name something in the folder, and in the remote, for one edit and what comes back of it; nil
    /// without a tracer.
    func callsOfAnEdit() throws -> (local: Int, remote: Int)? {
        guard (try? Child.output(["strace", "-V"])) != nil else { return nil }
        let trace = session.directory.path + "/trace"
        var (locals, remotes): ([Double], [Double]) = ([], [])
        for number in 0..<5 {
            rest(milliseconds: 2000)
            let tracer = try Child(["strace", "-f", "-y", "-qq", "-o", trace, "-p", "\(worker.identifier)"])
            rest(milliseconds: 700)
            _ = try edit(3000 + number)
            rest(milliseconds: 3000)
            tracer.end(SIGINT)
            let lines = (Files.text(trace) ?? "").split(separator: "\n").filter { !$0.contains(" resumed>") }
            locals.append(Double(lines.count { $0.contains(source) }))
            remotes.append(Double(lines.count { $0.contains(remote) }))
        }
        return (Int(median(locals)), Int(median(remotes)))
    }

    /// Bytes that the worker reads below a path while something is done; nil without a tracer.
    func bytesRead(below path: String, during body: () throws -> Void) throws -> Double? {
        guard (try? Child.output(["strace", "-V"])) != nil else { return nil }
        let trace = session.directory.path + "/trace"
        let tracer = try Child([
            "strace", "-f", "-y", "-qq", "-e", "trace=read,pread64", "-o", trace, "-p", "\(worker.identifier)",
        ])
        rest(milliseconds: 700)
        try body()
        tracer.end(SIGINT)
        let lines = (Files.text(trace) ?? "").split(separator: "\n").filter { $0.contains("<\(path)/") }
        return lines.reduce(0) { sum, line in sum + (Double(line.split(separator: " ").last ?? "") ?? 0) }
    }

    // MARK: Starts

    /// Ends the worker and starts it; the time from before that to the first badge of a file.
    func restart() throws -> Double {
        worker.end()
        let host = try session.host()
        let start = now()
        worker = try session.startWorker()
        var isObserving = false
        let found = try wait(seconds: 60, step: 2000) {
            // A folder whose engine has gone is known again when that has registered it.
            if !isObserving { isObserving = try host.isObserving(source + "/d1") }
            if !isObserving { return false }
            _ = try host.request(source + "/d1", NameColumn(["f1"]))
            return host.lastBadged == 1
        }
        guard found else { throw Failure("no badge came in 60 s") }
        let time = Double(now() - start)
        _ = try sync()
        return time
    }

    /// Ends the worker and starts it, so that its memory is counted anew.
    func restartFresh() throws {
        worker.end()
        worker = try session.startWorker()
        _ = try sync()
    }
}

/// A sync that goes on in a thread of its own.
final class RunningSync {
    private let child: Child

    fileprivate init(_ child: Child) { self.child = child }

    /// Whether it has come to its end.
    var isOver: Bool {
        var end = pollfd(fd: child.output, events: 0, revents: 0)
        return poll(&end, 1, 0) > 0 && end.revents & Int16(POLLHUP) != 0
    }

    func wait() { child.wait() }
}
