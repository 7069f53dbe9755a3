import ArgumentParser
import Client
import RoundelBus
import Support

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: Help.Trash.abstract,
        discussion: Help.Trash.discussion,
        subcommands: [TrashListCommand.self, TrashRestoreCommand.self, TrashDeleteCommand.self],
        defaultSubcommand: TrashListCommand.self)
}

struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Help.TrashList.abstract)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let engines = Engines(bus: try await Bus.open())
        let console = Console()
        var kept = try await engines.keptVersions()
        var all: [JSON] = []
        var count = 0
        repeat {
            for folder in kept.takeUnlisted() {
                Console.complain(Text.partlyListed(WorkerPath.sentence(folder)))
            }
            let items = kept.takeNewest()
            count += items.count
            if output.json { all += items.map(\.json) } else { print(items, on: console) }
        } while await kept.readOn()
        if output.json {
            console.print(.array(all))
        } else if count == 0 {
            console.print(Text.nothingKept)
        }
        for engine in await engines.withoutTrash() {
            Console.complain(Text.notOffered(.trash, by: engine.name))
        }
        try finish(kept.failures)
    }

    private func print(_ items: [SyncTrashItem], on console: Console) {
        var table = Table([.left, .left, .right, .left, .left], flexible: 3)
        for item in items {
            let time = console.terminal.isInteractive ? TimeText.local(item.time) : TimeText.utc(item.time)
            table.append([
                Table.Cell(time, .dim), Table.Cell(item.reason.text),
                Table.Cell(item.size.map(Quantity.bytes) ?? "", .dim),
                Table.Cell(ItemURI.displayPath(of: item.uri) + (item.isDirectory ? "/" : "")),
                Table.Cell(Text.kept(onRemote: item.place.known == .remote, ofRemoved: item.isRemoved), .dim),
            ])
        }
        if !items.isEmpty { console.print(lines: table.lines(on: console.terminal)) }
    }
}

struct TrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: Help.TrashRestore.abstract,
        discussion: Help.TrashRestore.discussion)

    @Argument(help: ArgumentHelp(Help.TrashRestore.path, valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: ArgumentHelp(Help.TrashRestore.all))
    var all = false

    @Option(help: ArgumentHelp(Help.TrashRestore.since, valueName: "when"))
    var since: String?

    @Option(help: ArgumentHelp(Help.TrashRestore.target, valueName: "directory"), completion: .directory)
    var to: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all != (since != nil) { throw ValidationError(Text.allNeedsSince) }
        if path == nil && !all { throw ValidationError(Text.restoreNeedsPath) }
        if let since, PastMoment(since) == nil { throw ValidationError(Text.notAMoment(since)) }
    }

    func run() async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let target = try to.map { try ItemArgument.parse($0).text }
        let engines = Engines(bus: try await Bus.open())
        if let moment = since.flatMap({ PastMoment($0) }) {
            try await restoreAll(item, since: moment, to: target, by: engines)
        } else if let item {
            report(try await engines.ask(keeperOf: item) { try await $0.restoreTrash(item.uri, to: target) })
        }
    }

    private func report(_ restored: TrashProxy.RestoredItem) {
        let console = Console()
        if output.json {
            console.print(
                .object(
                    JSON.item(restored.uri) + [
                        .init("side", .string(restored.side.rawValue)), .init("count", .number(restored.count)),
                    ]))
        } else {
            let text = Text.restored(
                restored.count, at: WorkerPath.sentence(restored.uri),
                comesFromRemote: restored.side == .remote && restored.isSynced)
            console.print(DisplayText.escaped(text))
        }
    }

    private func restoreAll(
        _ item: ItemURI?, since moment: PastMoment, to target: String?, by engines: Engines
    ) async throws {
        let call = try await engines.restoration(of: item, since: moment.microseconds, to: target)
        let result = try await FollowedCall.end(of: call, isShown: !output.json) { done, _ in
            [Text.restoring(done.done, of: done.total)]
        }
        let console = Console()
        for folder in result.unlisted {
            Console.complain(Text.partlyListed(WorkerPath.sentence(folder)))
        }
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(since: TimeText.local(moment.microseconds), on: console.terminal))
        }
        try finish(result.failed > 0 || !result.unlisted.isEmpty ? .needsUser : .done)
    }
}

struct TrashDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: Help.TrashDelete.abstract,
        discussion: Help.TrashDelete.discussion)

    @Argument(help: ArgumentHelp(Help.TrashDelete.path, valueName: "path"), completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path)
        let deleted = try await Engines(bus: try await Bus.open()).ask(keeperOf: item.uri) {
            try await $0.deleteTrash(item.text)
        }
        let console = Console()
        if output.json {
            console.print(deleted.json)
        } else {
            console.print(Text.deleted(deleted.versions, Quantity.bytes(deleted.bytes)))
            if deleted.desktop > 0 { console.print(Text.inDesktopTrash(deleted.desktop)) }
        }
        if deleted.isPartial { Console.complain(Text.partlyDeleted(item.uri.sentencePath)) }
        try finish(deleted.isPartial ? .needsUser : .done)
    }
}

extension SyncRestoration {
    /// The items that could not be restored, then the totals.
    func lines(since time: String, on terminal: Terminal) -> [String] {
        var table = Table([.left, .left], flexible: 0)
        for item in items {
            table.append([Table.Cell(ItemURI.displayPath(of: item.uri)), Table.Cell(item.message, .dim)])
        }
        var lines = table.lines(on: terminal)
        let unnamed = failed - min(failed, UInt64(items.count))
        if unnamed > 0 { lines.append(Text.moreDifferences(unnamed)) }
        if restored == 0 && failed == 0 { return lines + [Text.nothingSince(time)] }
        lines.append(Text.restoredItems(restored))
        if beside > 0 { lines.append(Text.restoredBeside(beside)) }
        if failed > 0 { lines.append(Text.notRestored(failed)) }
        return lines
    }
}
