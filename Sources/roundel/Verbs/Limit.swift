import ArgumentParser
import Client
import RoundelBus
import Support

struct LimitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: Help.Limit.abstract,
        discussion: Help.Limit.discussion)

    /// The behaviour of a folder on a metered connection.
    enum OnMetered: String, ExpressibleByArgument, CaseIterable { case sync, wait }

    @Argument(help: ArgumentHelp(Help.Limit.path, valueName: "path"), completion: .file())
    var path: String

    @Option(help: ArgumentHelp(Help.Limit.up, valueName: "rate"))
    var up: String?

    @Option(help: ArgumentHelp(Help.Limit.down, valueName: "rate"))
    var down: String?

    @Option(help: ArgumentHelp(Help.Limit.between, valueName: "hours"))
    var between: String?

    @Option(name: .customLong("on"), help: ArgumentHelp(Help.Limit.days, valueName: "days"))
    var days: String?

    @Flag(help: ArgumentHelp(Help.Limit.none))
    var none = false

    @Option(help: ArgumentHelp(Help.Limit.metered))
    var metered: OnMetered?

    @OptionGroup var output: OutputOptions

    func validate() throws { _ = try change() }

    /// The requested change.
    private func change() throws -> LimitChange {
        if days != nil && between == nil { throw ValidationError(Text.daysNeedHours) }
        if none && (up != nil || down != nil) { throw ValidationError(Text.noneExcludesLimits) }
        if between != nil && !none && up == nil && down == nil { throw ValidationError(Text.hoursNeedLimit) }
        var change = LimitChange()
        change.removes = none
        change.isAllowedOnMetered = metered.map { $0 == .sync }
        change.up = try up.map(Self.rate)
        change.down = try down.map(Self.rate)
        if let between {
            guard let hours = HoursArgument(between) else { throw ValidationError(Text.notHours(between)) }
            change.hours = LimitChange.Hours(
                from: hours.from, until: hours.until, days: try days.map(Self.days) ?? [])
        }
        return change
    }

    private static func rate(_ text: String) throws -> UInt64 {
        guard let rate = RateArgument(text) else { throw ValidationError(Text.notARate(text)) }
        return rate.bytes
    }

    private static func days(_ text: String) throws -> [SyncNetworkUse.Day] {
        guard let days = DaysArgument(text) else { throw ValidationError(Text.notDays(text)) }
        return days.days.count == SyncNetworkUse.Day.allCases.count ? [] : days.days
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let change = try change()
        let report = try await Engines(bus: try await Bus.open()).ask(ownerOf: folder.uri) { (engine: NetworkProxy) in
            var report = try await engine.networkUse(at: folder.uri)
            guard !change.isEmpty else { return report }
            guard change.apply(to: &report.use) else { throw CommandFailure(Text.noLimitsThen) }
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
        var lines = [DisplayText.escaped(Text.limits(path, up: upNow, down: downNow, until: until))]
        var table = Table([.left, .left, .right, .right], flexible: 0)
        for period in use.periods {
            table.append([
                Table.Cell(DaysArgument.text(period.days.map(\.text))),
                Table.Cell(HoursArgument.text(period.from, period.until)),
                Table.Cell(Text.upload(period.up)), Table.Cell(Text.download(period.down)),
            ])
        }
        if !use.periods.isEmpty {
            table.append([
                Table.Cell(Text.otherwise), Table.Cell(""), Table.Cell(Text.upload(use.up)),
                Table.Cell(Text.download(use.down)),
            ])
        }
        lines += table.lines(on: terminal, indent: "  ")
        lines.append(Text.onMetered(isAllowed: use.isAllowedOnMetered, isHeld: isHeld))
        return lines
    }
}
