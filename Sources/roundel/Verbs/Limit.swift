import ArgumentParser
import RoundelBus

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
        var change = LimitChange(removes: none, isAllowedOnMetered: metered.map { $0 == .sync })
        change.up = try up.map(Self.rate)
        change.down = try down.map(Self.rate)
        if let between {
            guard let hours = HoursArgument(between) else { throw ValidationError(Text.notHours(between)) }
            change.hours = LimitChange.Hours(hours: hours, days: try days.map(Self.days) ?? [])
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
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        var report = try await Self.report(of: folder, worker)
        let change = try change()
        if !change.isEmpty {
            guard change.apply(to: &report.use) else { throw CommandFailure(Text.noLimitsThen) }
            try await worker.setNetworkUse(report.use, of: folder.text)
            report = try await Self.report(of: folder, worker)
        }
        let console = Console()
        if output.json {
            console.print(report.json)
        } else {
            console.print(lines: report.lines(on: console.terminal))
        }
    }

    private static func report(of folder: ItemArgument, _ worker: SyncWorkerProxy) async throws -> SyncNetworkReport {
        guard let report = try await worker.networkUse(folder.text).first else {
            throw CommandFailure(Text.notAFolder(folder.uri.sentencePath))
        }
        return report
    }
}

extension SyncNetworkReport {
    /// `{"uri":…,"path":…,"up":n,…}`.
    fileprivate var json: JSON {
        .object(
            WorkerPath.json(uri) + [
                .init("up", .number(use.up)), .init("down", .number(use.down)),
                .init("periods", .array(use.periods.map(\.json))), .init("metered", .bool(use.isAllowedOnMetered)),
                .init("up_now", .number(upNow)), .init("down_now", .number(downNow)),
                .init("changes", .optional(changes) { .string(TimeText.utc($0)) }), .init("held", .bool(isHeld)),
            ])
    }

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

extension SyncNetworkUse.Period {
    fileprivate var json: JSON {
        let hours = HoursArgument.text(from, until).split(separator: "-").map(String.init)
        return .object([
            .init("from", .string(hours[0])), .init("until", .string(hours[1])),
            .init("days", .strings(days.map(\.text))), .init("up", .optional(up) { .number($0) }),
            .init("down", .optional(down) { .number($0) }),
        ])
    }
}
