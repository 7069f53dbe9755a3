import ArgumentParser
import RoundelBus

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List and restore what syncing replaced or deleted.",
        discussion: """
            Versions that syncing replaces or deletes are kept for 30 days: on this computer in the desktop's trash and in \
            Roundel's own store, on a remote directory in its “.roundel”. Each store holds up to 1 GiB; beyond that, and \
            where a disk is full, the oldest versions go first.
            """,
        subcommands: [TrashListCommand.self, TrashRestoreCommand.self], defaultSubcommand: TrashListCommand.self)
}

struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what can be restored, newest first.",
        discussion: """
            With --json: [{"uri":…,"path":…,"id":…,"folder":…,"reason":…,"place":…,"time":…,"size":n,"directory":…}], \
            where reason is deleted or replaced and place is where it is kept: desktop (the desktop's trash), store (on \
            this computer) or remote.
            """)

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
                let time = console.terminal.isInteractive ? Moment.local(item.time) : Moment.utc(item.time)
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
        commandName: "restore", abstract: "Put an item back, in its newest version.",
        discussion: """
            A directory that was deleted comes back with everything in it that was deleted. What is kept on the remote is \
            put back there and comes to the folder with the next sync.

            With --json: {"uri":…,"path":…,"side":…,"count":n}: where it is now, on which side (local or remote) it was \
            put back, and how many items were.
            """)

    @Argument(help: ArgumentHelp("Where it was.", valueName: "path"))
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
            let text = Text.restored(restored.count, WorkerPath.sentence(restored.uri), side: restored.side)
            console.print(DisplayText.escaped(text))
        }
    }
}

extension SyncTrashItem {
    var json: JSON {
        .object(
            WorkerPath.json(uri) + [
                .init("id", .string(id)), .init("folder", .string(folder)), .init("reason", .string(reason.text)),
                .init("place", .string(place.text)), .init("time", .string(Moment.utc(time))),
                .init("size", .optional(size, JSON.number)), .init("directory", .bool(isDirectory)),
            ])
    }
}
