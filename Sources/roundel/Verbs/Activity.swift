import ArgumentParser
import RoundelBus

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: Help.Activity.abstract,
        discussion: Help.Activity.discussion)

    @Option(name: .customShort("n"), help: ArgumentHelp(Help.Activity.limit, valueName: "n"))
    var limit: UInt32 = 20

    @Flag(help: ArgumentHelp(Help.Activity.watch))
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit == 0, !watch { throw ValidationError(Text.badLimit) }
    }

    func run() async throws {
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        let console = Console()
        let added = try worker.activityAdded()
        let entries = limit == 0 ? [] : try await worker.activity(limit: limit)
        guard watch else {
            if output.json {
                console.print(.array(entries.map(\.json)))
            } else {
                console.print(lines: ActivityCommand.lines(entries, on: console.terminal))
            }
            return
        }
        Interruption.endsCommand()
        // Each folder counts its entries by itself.
        var last: [String: UInt64] = [:]
        func show(_ entries: [SyncActivity]) {
            // Entries that were added between the call and its reply arrive twice.
            let new = entries.filter { entry in
                guard entry.sequence > last[entry.folder, default: 0] else { return false }
                last[entry.folder] = entry.sequence
                return true
            }
            console.print(
                lines: output.json ? new.map(\.json.text) : ActivityCommand.lines(new, on: console.terminal))
        }
        show(entries)
        for await entries in added { show(entries) }
        throw CommandFailure(Text.busClosed)
    }

    static func lines(_ entries: [SyncActivity], on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left, .left], flexible: 2)
        for entry in entries {
            let time = terminal.isInteractive ? TimeText.local(entry.time) : TimeText.utc(entry.time)
            let old = entry.oldURI.map { WorkerPath.display($0) + " -> " } ?? ""
            let path = old + WorkerPath.display(entry.uri)
            let message = Table.Cell(entry.message ?? "", .red)
            table.append([
                Table.Cell(time, .dim), Table.Cell(entry.action.text, style(of: entry)), Table.Cell(path), message,
            ])
        }
        return table.lines(on: terminal)
    }

    private static func style(of entry: SyncActivity) -> Style {
        switch entry.action.known {
        case .error: .red
        case .conflict: .magenta
        case .uploaded, .downloaded: .green
        case .moved, .deletedLocal, .deletedRemote, .permissions, .notKept, nil: .plain
        }
    }
}

extension SyncActivity {
    var json: JSON {
        .object([
            .init("sequence", .number(sequence)), .init("time", .string(TimeText.utc(time))),
            .init("action", .string(action.text)), .init("uri", .string(uri)),
            .init("path", .string(WorkerPath.display(uri))), .init("old_uri", .optional(oldURI, JSON.string)),
            .init("folder", .string(folder)),
            .init("message", .optional(message, JSON.string)),
        ])
    }
}
