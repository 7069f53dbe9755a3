import ArgumentParser
import RoundelBus

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List and restore what synchronisation took away on this machine.",
        subcommands: [TrashListCommand.self, TrashRestoreCommand.self], defaultSubcommand: TrashListCommand.self)
}

struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what can be restored, newest first.",
        discussion: """
            With --json: [{"uri":…,"path":…,"id":…,"folder":…,"reason":…,"place":…,"time":…,"size":n,"directory":…}].
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let items = try await SyncWorkerProxy(bus: try await Bus.open()).listTrash("")
        let console = Console()
        if output.json {
            console.print(.array(items.map(\.json)))
        } else if items.isEmpty {
            console.print("There is nothing to restore.")
        } else {
            var table = Table([.left, .left, .right, .left])
            for item in items {
                let time = console.terminal.isInteractive ? Moment.local(item.time) : Moment.utc(item.time)
                table.append([
                    Table.Cell(time, .dim), Table.Cell(item.reason),
                    Table.Cell(item.size.map(Quantity.bytes) ?? "", .dim),
                    Table.Cell(WorkerPath.display(item.uri) + (item.isDirectory ? "/" : "")),
                ])
            }
            console.print(lines: table.lines(on: console.terminal))
        }
    }
}

struct TrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put an item back, in its newest version.",
        discussion: "With --json: {\"uri\":…,\"path\":…}, where it is now.")

    @Argument(help: ArgumentHelp("Where it was.", valueName: "path"))
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).text
        let restored = try await SyncWorkerProxy(bus: try await Bus.open()).restoreTrash(item)
        let console = Console()
        if output.json {
            console.print(.object(WorkerPath.json(restored)))
        } else {
            console.print(DisplayText.escaped("Restored as \(WorkerPath.display(restored))."))
        }
    }
}

extension SyncTrashItem {
    var json: JSON {
        .object(
            WorkerPath.json(uri) + [
                .init("id", .string(id)), .init("folder", .string(folder)), .init("reason", .string(reason)),
                .init("place", .string(place)), .init("time", .string(Moment.utc(time))),
                .init("size", .optional(size, JSON.number)), .init("directory", .bool(isDirectory)),
            ])
    }
}
