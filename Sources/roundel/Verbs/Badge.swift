import ArgumentParser
import RoundelBus
import Support

struct BadgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: tr("Print the badge of each item, asked over D-Bus as a file manager does."))

    @Argument(help: ArgumentHelp(tr("A path or a file:// URI."), valueName: "path"), completion: .file())
    var paths: [String]

    @Flag(help: ArgumentHelp(tr("Stay and print a line each time that a badge changes.")))
    var watch = false

    @Flag(
        help: ArgumentHelp(
            tr("Print what is known of each item beyond its badge: times, remote address, tags, reasons.")))
    var attributes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if watch && attributes { throw ValidationError(tr("--watch and --attributes do not go together.")) }
    }

    func run() async throws {
        let items = try paths.map(ItemArgument.parse).map(\.uri)
        let console = Console()
        let host = HostProxy(bus: try await Bus.open())
        var badges = try BadgeWatch(items, host: host)
        guard watch else {
            try await badges.load(within: Patience.CommandLine.badges)
            return try await print(BadgeReport.reports(of: items, badges), of: host, on: console)
        }
        Interruption.endsCommand()
        try await badges.follow(within: Patience.CommandLine.badges) { changed, badges in
            for report in BadgeReport.reports(of: changed.isEmpty ? items : changed, badges) {
                if output.json {
                    console.print(report.json)
                } else {
                    console.print(lines: BadgeReport.lines([report], on: console.terminal))
                }
            }
        }
        throw CommandFailure(ErrorSentence.busClosed)
    }

    private func print(_ reports: [BadgeReport], of host: HostProxy, on console: Console) async throws {
        guard attributes else {
            return output.json
                ? console.print(.array(reports.map(\.json)))
                : console.print(lines: BadgeReport.lines(reports, on: console.terminal))
        }
        var objects: [JSON] = []
        for report in reports {
            let known = AttributeReport(try await host.attributes(of: report.uri))
            objects.append(.object(report.jsonMembers + [.init("attributes", known.json)]))
            guard !output.json else { continue }
            console.print(lines: BadgeReport.lines([report], on: console.terminal) + known.lines(on: console.terminal))
        }
        if output.json { console.print(.array(objects)) }
    }
}
