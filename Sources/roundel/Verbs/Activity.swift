import ArgumentParser
import Client
import RoundelBus
import Support

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: tr("Print what syncing did, newest last."))

    @Option(name: .customShort("n"), help: ArgumentHelp(tr("The number of entries."), valueName: "n"))
    var limit: UInt32 = 20

    @Flag(help: ArgumentHelp(tr("Stay and print a line each time that something was done.")))
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit == 0, !watch { throw ValidationError(tr("-n needs a number above 0.")) }
    }

    func run() async throws {
        let log = ActivityLog(bus: try await Bus.open())
        let console = Console()
        guard watch else {
            let (entries, failures) = try await log.newest(limit)
            if output.json {
                console.print(.array(entries.map(\.json)))
            } else {
                console.print(lines: ActivityCommand.lines(entries, on: console.terminal))
                if console.terminal.isInteractive, entries.contains(where: { $0.action.known == .error }) {
                    console.print(Style.dim.apply(to: tr("What to do now: roundel problems"), on: console.terminal))
                }
            }
            return try finish(failures)
        }
        Interruption.endsCommand()
        for try await entries in try await log.follow(after: limit) {
            console.print(
                lines: output.json ? entries.map(\.json.text) : ActivityCommand.lines(entries, on: console.terminal))
        }
        throw CommandFailure(ErrorSentence.busClosed)
    }

    static func lines(_ entries: [SyncActivity], on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left, .left], flexible: 2)
        for entry in entries {
            let time = terminal.isInteractive ? TimeText.local(entry.time) : TimeText.utc(entry.time)
            let old = entry.oldURI.map { WorkerPath.shown($0, on: terminal) + " -> " } ?? ""
            let path = old + WorkerPath.shown(entry.uri, on: terminal)
            let message = Table.Cell(entry.message ?? "", .red)
            table.append([
                Table.Cell(time, .dim), Table.Cell(entry.action.text(on: terminal), style(of: entry)),
                Table.Cell(path, isPath: true), message,
            ])
        }
        return table.lines(on: terminal)
    }

    private static func style(of entry: SyncActivity) -> Style {
        switch entry.action.known {
        case .error: .red
        case .conflict: .magenta
        case .uploaded, .downloaded: .green
        case .moved, .deletedLocal, .deletedRemote, .permissions, .notKept, .copiedOut, nil: .plain
        }
    }
}
