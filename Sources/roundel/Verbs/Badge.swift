import ArgumentParser
import BadgeCore

struct BadgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Print the badge of each item, asked over D-Bus as a file manager does.",
        discussion: """
            With --json: [{"uri":…,"path":…,"badge":…,"label":…,"progress":…,"flags":[…]}]; badge is "" and progress \
            null where there is none. With --watch one such object for each item at first, and one at each change.
            """)

    @Argument(help: ArgumentHelp("A path or a file:// URI.", valueName: "path"))
    var paths: [String]

    @Flag(help: "Stay and print a line each time that a badge changes.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let items = try paths.map(ItemArgument.parse).map(\.uri)
        let console = Console()
        var badges = try BadgeWatch(items, host: try await Host.open())
        guard watch else {
            try await badges.settle(within: .seconds(1))
            let reports = items.map { BadgeReport(uri: $0, state: badges.state(of: $0), labels: badges.labels) }
            if output.json {
                console.print(.array(reports.map(\.json)))
            } else {
                console.print(lines: BadgeReport.lines(reports, on: console.terminal))
            }
            return
        }
        Interruption.endsCommand()
        try await badges.follow(within: .seconds(1)) { changed, badges in
            for item in changed.isEmpty ? items : changed {
                let report = BadgeReport(uri: item, state: badges.state(of: item), labels: badges.labels)
                if output.json {
                    console.print(report.json)
                } else {
                    console.print(lines: BadgeReport.lines([report], on: console.terminal))
                }
            }
        }
        throw CommandFailure("The session bus closed the connection.")
    }
}
