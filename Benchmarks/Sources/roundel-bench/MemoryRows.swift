internal import CPeers
internal import Glibc

/// The badge service's memory after ordinary calls: what is its own alone, and its share of what it has in common.
enum MemoryRows {
    private struct Memory {
        let own: Double
        let share: Double

        init(_ facts: ProcessFacts) {
            own = facts.anonymousMemory
            share = facts.memory
        }

        static func - (after: Memory, before: Memory) -> Memory {
            Memory(own: after.own - before.own, share: after.share - before.share)
        }

        private init(own: Double, share: Double) {
            self.own = own
            self.share = share
        }
    }

    static func measure(_ options: Options) throws -> [Row] {
        let rounds = options.isQuick ? 1 : 3
        let directories = options.isQuick ? 10_000 : 60_000
        let plain = try (0..<rounds).map { _ in try afterCalls(options) }
        let tray = try (0..<rounds).map { _ in try withTray(options) }
        let badged = try (0..<rounds).map { _ in try badgedItems(options) }
        let watched = try (0..<rounds).map { _ in try watchedDirectories(options, directories) }
        return [
            row("roundeld memory after ordinary calls", plain, own: 2, share: 8, sign: ""),
            row("roundeld memory with tray and sidebar", tray, own: 2, share: 8, sign: ""),
            row("roundeld memory with 10,000 badged items", badged, own: 2, share: nil, sign: "+"),
            row("roundeld memory with \(directories) watched directories", watched, own: 4, share: nil, sign: "+"),
        ]
    }

    private static func row(_ what: String, _ values: [Memory], own: Double, share: Double?, sign: String) -> Row {
        let (owns, shares) = (values.map(\.own), values.map(\.share))
        let isMet = median(owns) <= own * 1024 && median(shares) <= (share ?? .infinity) * 1024
        return Row(
            what, target: "anonymous \(sign)\(Int(own)) MiB" + (share.map { ", PSS \(Int($0)) MiB" } ?? ""),
            measured: "anonymous \(sign)\(Format.spread(owns, Format.mebibytes)), "
                + "PSS \(sign)\(Format.spread(shares, Format.mebibytes))",
            how: "\(values.count) sessions", isMet: isMet,
            figures: [
                Figure(owns, in: .kibibytes, named: "\(what) (anonymous)"),
                Figure(shares, in: .kibibytes, named: "\(what) (PSS)"),
            ])
    }

    /// What a file manager does that opens and closes a small folder a few times.
    private static func makeCalls(_ host: Host, _ folder: String) throws {
        let names = NameColumn((0..<50).map { "file-\($0).txt" })
        try host.observe(folder)
        for _ in 0..<100 { _ = try host.request(folder, names) }
        rest(milliseconds: 1500)
    }

    private static func afterCalls(_ options: Options) throws -> Memory {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        try session.startService()
        let provider = try session.startProvider(folders: [folder])
        defer { withExtendedLifetime(provider) {} }
        try makeCalls(try session.host(), folder)
        return Memory(try session.serviceFacts())
    }

    /// After a panel and a sidebar have shown a folder, too.
    private static func withTray(_ options: Options) throws -> Memory {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        let panel = try session.startPanel()
        try session.startService()
        let provider = try session.startProvider(folders: [folder])
        defer { withExtendedLifetime(provider) {} }
        guard try panel.receive(1) == [UInt8(ascii: "s")] else { throw Failure("no tray icon was shown") }
        try makeCalls(try session.host(), folder)
        return Memory(try session.serviceFacts())
    }

    /// What it adds that a host was told the badges of 10,000 items.
    private static func badgedItems(_ options: Options) throws -> Memory {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        try session.startService()
        let provider = try session.startProvider(folders: [folder])
        defer { withExtendedLifetime(provider) {} }
        let host = try session.host()
        try makeCalls(host, folder)
        let before = Memory(try session.serviceFacts())
        let names = NameColumn((0..<10_000).map { "other-\($0).txt" })
        for _ in 0..<3 { _ = try host.request(folder, names) }
        guard host.lastBadged == names.count else { throw Failure("the badges did not come") }
        rest(milliseconds: 1500)
        return Memory(try session.serviceFacts()) - before
    }

    /// What it adds to watch so many directories.
    private static func watchedDirectories(_ options: Options, _ count: Int) throws -> Memory {
        let session = try Session(options)
        let folder = try session.directory.directory("tree")
        let small = try session.directory.directory("small")
        for outer in 0..<(count / 100) {
            let parent = try session.directory.directory("tree/\(outer)")
            for inner in 0..<99 { mkdir(parent + "/directory-\(inner)", 0o700) }
        }
        try session.startService()
        let host = try session.host()
        let first = try session.startProvider(folders: [small])
        try makeCalls(host, small)
        let before = Memory(try session.serviceFacts())
        first.end()
        let provider = try session.startProvider(folders: [folder], watches: true)
        defer { withExtendedLifetime(provider) {} }
        guard try wait(seconds: 60, step: 100_000, until: { try host.watchesUsed() >= count }) else {
            throw Failure("\(try host.watchesUsed()) of \(count) directories are watched")
        }
        rest(milliseconds: 1500)
        return Memory(try session.serviceFacts()) - before
    }
}
