import ArgumentParser
import RoundelBus

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: Help.Trash.abstract,
        discussion: Help.Trash.discussion,
        subcommands: [TrashListCommand.self, TrashRestoreCommand.self], defaultSubcommand: TrashListCommand.self)
}

struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Help.TrashList.abstract,
        discussion: Help.TrashList.discussion)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let report = try await SyncWorkerProxy(bus: try await Bus.open()).listTrash("")
        let items = report.items
        let console = Console()
        for folder in report.unlisted {
            Console.complain(Text.partlyListed(WorkerPath.sentence(folder)))
        }
        if output.json {
            console.print(.array(items.map(\.json)))
        } else if items.isEmpty {
            console.print(Text.nothingKept)
        } else {
            var table = Table([.left, .left, .right, .left, .left], flexible: 3)
            for item in items {
                let time = console.terminal.isInteractive ? TimeText.local(item.time) : TimeText.utc(item.time)
                table.append([
                    Table.Cell(time, .dim), Table.Cell(item.reason.text),
                    Table.Cell(item.size.map(Quantity.bytes) ?? "", .dim),
                    Table.Cell(WorkerPath.display(item.uri) + (item.isDirectory ? "/" : "")),
                    Table.Cell(item.place.known == .remote ? Text.keptOnRemote : "", .dim),
                ])
            }
            console.print(lines: table.lines(on: console.terminal))
        }
    }
}

struct TrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: Help.TrashRestore.abstract,
        discussion: Help.TrashRestore.discussion)

    @Argument(help: ArgumentHelp(Help.TrashRestore.path, valueName: "path"))
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).text
        let restored = try await SyncWorkerProxy(bus: try await Bus.open()).restoreTrash(item)
        let console = Console()
        if output.json {
            console.print(
                .object(
                    WorkerPath.json(restored.uri) + [
                        .init("side", .string(restored.side.rawValue)), .init("count", .number(restored.count)),
                    ]))
        } else {
            let text = Text.restored(restored.count, at: WorkerPath.sentence(restored.uri), side: restored.side)
            console.print(DisplayText.escaped(text))
        }
    }
}

extension SyncTrashItem {
    var json: JSON {
        .object(
            WorkerPath.json(uri) + [
                .init("id", .string(id)), .init("folder", .string(folder)), .init("reason", .string(reason.text)),
                .init("place", .string(place.text)), .init("time", .string(TimeText.utc(time))),
                .init("size", .optional(size, JSON.number)), .init("directory", .bool(isDirectory)),
            ])
    }
}
