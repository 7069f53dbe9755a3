internal import CPeers
internal import Glibc

/// What the badge service costs while nothing happens.
enum RestRows {
    static func idle(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        try session.startService()
        let provider = try session.startProvider(folders: [folder], watches: true)
        defer { withExtendedLifetime((session, provider)) {} }
        let host = try session.host()
        for number in 0..<100 { try host.observe(try session.directory.directory("folder/\(number)")) }
        let facts = try session.serviceFacts()
        rest(milliseconds: 2000)
        let seconds: UInt32 = options.isQuick ? 10 : 60
        let before = facts.switches
        let calls = try systemCalls(of: facts.identifier, seconds: seconds, in: session)
        let traced = calls != nil
        if !traced { rest(milliseconds: seconds * 1000) }
        // Attaching and detaching the tracer stops each thread; without it, the counters tell of wake-ups.
        var wakeups = facts.switches - before
        if traced {
            rest(milliseconds: 500)
            let start = facts.switches
            rest(milliseconds: seconds * 1000)
            wakeups = facts.switches - start
        }
        let text = calls.map { "\($0) system calls" } ?? "system calls not counted (no strace)"
        return [
            Row(
                "roundeld idle, 100 observed directories, \(seconds) s", target: "0 wake-ups, 0 system calls",
                measured: "\(Int(wakeups)) wake-ups, \(text)", isMet: wakeups == 0 && (calls ?? 0) == 0)
        ]
    }

    /// How many system calls a process makes in a time, from when the tracer is attached; nil without a tracer.
    private static func systemCalls(of process: pid_t, seconds: UInt32, in session: Session) throws -> Int? {
        let file = session.directory.path + "/trace"
        guard let tracer = try? Child(["strace", "-f", "-o", file, "-p", "\(process)"]) else { return nil }
        guard wait(seconds: 5, until: { !(Files.bytes(file) ?? []).isEmpty }) else { return nil }
        rest(milliseconds: 1000)
        let before = lines(file)
        rest(milliseconds: seconds * 1000)
        let count = lines(file) - before
        tracer.end(SIGINT)
        return count
    }

    private static func lines(_ path: String) -> Int {
        (Files.bytes(path) ?? []).count { $0 == UInt8(ascii: "\n") }
    }

    static func memory(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        try session.startService()
        let facts = try session.serviceFacts()
        rest(milliseconds: 1000)
        let idle = facts.memory
        let (badges, settled) = try badgedItems(session, folder)
        let directories = options.isQuick ? 10_000 : 60_000
        let watched = try watchedDirectories(options, directories)
        return [
            row("roundeld memory (PSS), idle", idle, limit: 5, prefix: ""),
            row("the same with tray and sidebar", try withTray(options), limit: 6, prefix: ""),
            Row(
                "with 10,000 badged items", target: "+3 MiB",
                measured: "+" + Format.mebibytes(settled - badges), isMet: settled - badges <= 3 * 1024),
            row("with \(directories) watched directories", watched, limit: 4, prefix: "+"),
        ]
    }

    private static func row(_ what: String, _ memory: Double, limit: Double, prefix: String) -> Row {
        Row(
            what, target: "\(prefix)\(Int(limit)) MiB", measured: prefix + Format.mebibytes(memory),
            isMet: memory <= limit * 1024)
    }

    /// Memory at rest after a panel and a sidebar have shown a folder.
    private static func withTray(_ options: Options) throws -> Double {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        let panel = try session.startPanel()
        try session.startService()
        let provider = try session.startProvider(folders: [folder])
        defer { withExtendedLifetime(provider) {} }
        guard try panel.receive(1) == [UInt8(ascii: "s")] else { throw Failure("no tray icon was shown") }
        rest(milliseconds: 1500)
        return try session.serviceFacts().memory
    }

    /// Memory before and after a host was told the badges of 10,000 items.
    private static func badgedItems(_ session: Session, _ folder: String) throws -> (Double, Double) {
        let provider = try session.startProvider(folders: [folder])
        defer { withExtendedLifetime(provider) {} }
        let host = try session.host()
        let facts = try session.serviceFacts()
        try host.observe(folder)
        rest(milliseconds: 500)
        let before = facts.memory
        let names = NameColumn((0..<10_000).map { "file-\($0).txt" })
        for _ in 0..<3 { _ = try host.request(folder, names) }
        guard host.lastBadged == names.count else { throw Failure("the badges did not come") }
        rest(milliseconds: 1000)
        return (before, facts.memory)
    }

    /// What watching so many directories adds.
    private static func watchedDirectories(_ options: Options, _ count: Int) throws -> Double {
        let session = try Session(options)
        let folder = try session.directory.directory("tree")
        for outer in 0..<(count / 100) {
            let parent = try session.directory.directory("tree/\(outer)")
            for inner in 0..<99 { mkdir(parent + "/directory-\(inner)", 0o700) }
        }
        try session.startService()
        let host = try session.host()
        let facts = try session.serviceFacts()
        rest(milliseconds: 1500)
        let before = facts.memory
        let provider = try session.startProvider(folders: [folder], watches: true)
        defer { withExtendedLifetime(provider) {} }
        guard try wait(seconds: 60, step: 100_000, until: { try host.watchesUsed() >= count }) else {
            throw Failure("\(try host.watchesUsed()) of \(count) directories are watched")
        }
        rest(milliseconds: 1000)
        return facts.memory - before
    }

    static func start(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        try session.startService()
        session.endPrograms()
        let times = try (0..<(options.isQuick ? 5 : 25)).map { _ in
            rest(milliseconds: 100)
            let time = try session.startService()
            session.endPrograms()
            return time
        }
        return [
            Row(
                "roundeld start, exec → name owned", target: "at most 6 ms",
                measured: Format.milliseconds(median(times)), isMet: median(times) <= 6e6)
        ]
    }
}
