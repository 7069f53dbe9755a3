import ArgumentParser
import Client
import RoundelBus
import Support

struct LimitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: tr("Show or set how much of the network a folder may have."),
        discussion: tr(
            """
            For folders that sync with a server or through rclone. A RATE is a number of bytes a second, such as \
            500k or 1.5M, and 0 for no limit; what is not named stays as it is. With --between the limits apply at \
            these hours, on all days or those of --on; at other times the limits apply that are set without hours. \
            Where hours overlap, those set last apply. A limit applies at once, also to transfers under way, and all \
            transfers of the folder share it. rclone has one limit for all folders that are transferring through it: \
            the smallest.

            On a connection that the system calls metered, such as a telephone's, a folder waits and says so, unless \
            you run `roundel sync PATH`; --metered sync lets it use such connections by itself.
            """))

    /// The behaviour of a folder on a metered connection.
    enum OnMetered: String, ExpressibleByArgument, CaseIterable { case sync, wait }

    @Argument(help: ArgumentHelp(tr("The synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Option(help: ArgumentHelp(tr("At most so many bytes a second to the remote."), valueName: "rate"))
    var up: String?

    @Option(help: ArgumentHelp(tr("At most so many bytes a second to this computer."), valueName: "rate"))
    var down: String?

    @Option(help: ArgumentHelp(tr("The hours at which that holds, in local time: 08:00-18:00."), valueName: "hours"))
    var between: String?

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(tr("The days on which these hours begin: mon-fri, or sat,sun."), valueName: "days"))
    var days: String?

    @Flag(help: ArgumentHelp(tr("Remove all limits, or those of the hours.")))
    var none = false

    @Option(help: ArgumentHelp(tr("What the folder does on a metered connection.")))
    var metered: OnMetered?

    @OptionGroup var output: OutputOptions

    func validate() throws { _ = try change() }

    /// The requested change.
    private func change() throws -> LimitChange {
        if days != nil && between == nil { throw ValidationError(tr("--on needs --between.")) }
        if none && (up != nil || down != nil) { throw ValidationError(tr("--none and a limit exclude each other.")) }
        if between != nil && !none && up == nil && down == nil {
            throw ValidationError(tr("--between needs --up, --down or --none."))
        }
        var change = LimitChange()
        change.removes = none
        change.isAllowedOnMetered = metered.map { $0 == .sync }
        change.up = try up.map(Self.rate)
        change.down = try down.map(Self.rate)
        if let between {
            guard let hours = HoursArgument(between) else {
                throw ValidationError(tr("“{1}” are no hours: write 08:00-18:00, or 22:00-06:00 for a night.", between))
            }
            change.hours = LimitChange.Hours(
                from: hours.from, until: hours.until, days: try days.map(Self.days) ?? [])
        }
        return change
    }

    private static func rate(_ text: String) throws -> UInt64 {
        guard let rate = RateArgument(text) else {
            throw ValidationError(
                tr("“{1}” is not a number of bytes a second: write 500k, 1.5M, or 0 for no limit.", text))
        }
        return rate.bytes
    }

    private static func days(_ text: String) throws -> [SyncNetworkUse.Day] {
        guard let days = DaysArgument(text) else {
            throw ValidationError(tr("“{1}” are no days: write mon-fri or sat,sun.", text))
        }
        return days.days.count == SyncNetworkUse.Day.allCases.count ? [] : days.days
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let change = try change()
        let report = try await Engines(bus: try await Bus.open()).ask(ownerOf: folder.uri) { (engine: NetworkProxy) in
            var report = try await engine.networkUse(at: folder.uri)
            guard !change.isEmpty else { return report }
            guard change.apply(to: &report.use) else {
                throw CommandFailure(tr("No limits are set for these hours and days."))
            }
            try await engine.setNetworkUse(report.use, of: folder.text)
            return try await engine.networkUse(at: folder.uri)
        }
        let console = Console()
        if output.json {
            console.print(report.json)
        } else {
            console.print(lines: report.lines(on: console.terminal))
        }
    }
}

extension SyncNetworkReport {
    /// The current limits, and those at each time.
    fileprivate func lines(on terminal: Terminal) -> [String] {
        let path = WorkerPath.sentence(uri)
        let until = changes.map { TimeText.local($0) }
        var lines = [DisplayText.escaped(Self.limits(path, up: upNow, down: downNow, until: until))]
        var table = Table([.left, .left, .right, .right], flexible: 0)
        for period in use.periods {
            table.append([
                Table.Cell(DaysArgument.text(period.days.map(\.text))),
                Table.Cell(HoursArgument.text(period.from, period.until)), Table.Cell(Self.upload(period.up)),
                Table.Cell(Self.download(period.down)),
            ])
        }
        if !use.periods.isEmpty {
            table.append([
                Table.Cell(tr("otherwise")), Table.Cell(""), Table.Cell(Self.upload(use.up)),
                Table.Cell(Self.download(use.down)),
            ])
        }
        lines += table.lines(on: terminal, indent: "  ")
        lines.append(Self.onMetered(isAllowed: use.isAllowedOnMetered, isHeld: isHeld))
        return lines
    }

    /// - Parameters:
    ///   - up: In bytes per second; 0 for no limit.
    ///   - down: In bytes per second; 0 for no limit.
    ///   - time: When other limits apply; nil if never.
    private static func limits(_ path: String, up: UInt64, down: UInt64, until time: String?) -> String {
        time.map { tr("{1}: {2}, {3}, until {4}.", path, Self.upload(up), Self.download(down), $0) }
            ?? tr("{1}: {2}, {3}.", path, Self.upload(up), Self.download(down))
    }

    /// - Parameter limit: In bytes per second, 0 for no limit; nil for the limit at other times.
    private static func upload(_ limit: UInt64?) -> String {
        switch limit {
        case nil: tr("up as otherwise")
        case 0: tr("no limit up")
        case let limit?: tr("{1}/s up", Quantity.bytes(limit))
        }
    }

    /// - Parameter limit: In bytes per second, 0 for no limit; nil for the limit at other times.
    private static func download(_ limit: UInt64?) -> String {
        switch limit {
        case nil: tr("down as otherwise")
        case 0: tr("no limit down")
        case let limit?: tr("{1}/s down", Quantity.bytes(limit))
        }
    }

    private static func onMetered(isAllowed: Bool, isHeld: Bool) -> String {
        switch (isAllowed, isHeld) {
        case (true, _): tr("It syncs on a metered connection as well.")
        case (false, true): tr("It waits for a connection that is not metered.")
        case (false, false): tr("On a metered connection it waits.")
        }
    }
}
