import ArgumentParser
import Client
import RoundelBus
import Support

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: tr("Show the state of the synced folders."),
        discussion: tr(
            """
            What the badge service remembers is shown at once, and more as soon as the provider answers. The exit \
            status is 2 while something needs you: conflicts, errors, a decision. It is 1 if the sync worker cannot \
            be started.
            """))

    @Argument(help: ArgumentHelp(tr("A synced folder or something in it."), valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: ArgumentHelp(tr("Stay, and follow what changes.")))
    var watch = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let bus = try await Bus.open()
        let watch = StatusWatch(bus: bus, item: item)
        if self.watch {
            Interruption.endsCommand()
            var printer = StatusPrinter(json: output.json)
            var remark: ServiceRemark?
            for try await report in watch.updates() {
                // A report comes up to ten times a second.
                if !output.json, report.isWatching != printer.isWatching {
                    remark = await ServiceRemark.of(report, on: bus)
                }
                printer.print(report, remark)
            }
            throw CommandFailure(ErrorSentence.busClosed)
        }
        let report = try await watch.current(within: Patience.CommandLine.status)
        let console = Console()
        if output.json {
            console.print(report.json)
        } else if report.absence == nil || !report.folders.isEmpty {
            console.print(lines: report.lines(on: console.terminal, await ServiceRemark.of(report, on: bus)))
        }
        if let absence = report.absence { throw absence }
        try finish(report.needsUser ? .needsUser : .done)
    }
}

/// Prints the state of the folders repeatedly: redraws it on a terminal, and otherwise prints a line for each change.
struct StatusPrinter {
    private let isJSON: Bool
    private let console = Console()
    private var block: LiveBlock
    private var last: StatusReport?

    init(json: Bool) {
        isJSON = json
        block = LiveBlock(console)
    }

    /// Whether the worker was told of changes in the report that was printed last.
    var isWatching: Bool? { last?.isWatching }

    mutating func print(_ report: StatusReport, _ remark: ServiceRemark?) {
        guard report != last else { return }
        if isJSON {
            console.print(report.json)
        } else if console.terminal.isInteractive {
            block.draw(report.lines(on: console.terminal, remark))
        } else {
            // Only the folders that changed, so that every line is new.
            for folder in report.folders where last?.folders.contains(folder) != true {
                console.print(lines: folder.lines(on: console.terminal))
            }
            if report.folders.isEmpty { console.print(lines: report.lines(on: console.terminal, remark)) }
        }
        last = report
    }
}
