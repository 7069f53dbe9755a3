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
                measured: "\(Int(wakeups)) wake-ups, \(text)", how: "once", isMet: wakeups == 0 && (calls ?? 0) == 0,
                figures: [Figure([wakeups], in: .count, named: "wake-ups of roundeld idle")])
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
                "roundeld start, exec → name owned", target: "at most 5 ms",
                measured: Format.spread(times, Format.milliseconds), how: "\(times.count) starts",
                isMet: median(times) <= 5e6, figures: [Figure(times)])
        ]
    }
}
