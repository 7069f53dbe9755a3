import ArgumentParser
import Client
import RoundelBus
import Support

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: tr("List and restore what syncing replaced or deleted."),
        discussion: tr(
            """
            Versions that syncing replaces or deletes are kept for 30 days: on this computer in the desktop's trash \
            and in Roundel's own store, on a remote directory in its “.roundel”. Each store holds up to 1 GiB; \
            beyond that, and where a disk is full, the oldest versions go first. They stay when a folder is removed.
            """),
        subcommands: [TrashListCommand.self, TrashRestoreCommand.self, TrashDeleteCommand.self],
        defaultSubcommand: TrashListCommand.self)

    /// - Parameter folder: A folder one side of which could not be asked.
    fileprivate static func notAllListed(of folder: String) -> String {
        tr(
            "Not everything kept for “{1}” is listed: one of its sides does not answer.",
            WorkerPath.sentence(folder))
    }
}

struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: tr("List what can be restored, newest first."))

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let engines = Engines(bus: try await Bus.open())
        let console = Console()
        var kept = try await engines.keptVersions()
        var all: [JSON] = []
        var count = 0
        repeat {
            for folder in kept.takeUnlisted() {
                Console.complain(TrashCommand.notAllListed(of: folder))
            }
            let items = kept.takeNewest()
            count += items.count
            if output.json { all += items.map(\.json) } else { print(items, on: console) }
        } while await kept.readOn()
        if output.json {
            console.print(.array(all))
        } else if count == 0 {
            console.print(tr("There is nothing to restore."))
        }
        for engine in await engines.withoutTrash() {
            Console.complain(ErrorSentence.notOffered(.trash, by: engine.name))
        }
        try finish(kept.failures)
    }

    private func print(_ items: [SyncTrashItem], on console: Console) {
        var table = Table([.left, .left, .right, .left, .left], flexible: 3)
        for item in items {
            let time = console.terminal.isInteractive ? TimeText.local(item.time) : TimeText.utc(item.time)
            let path = WorkerPath.shown(item.uri, on: console.terminal) + (item.isDirectory ? "/" : "")
            table.append([
                Table.Cell(time, .dim), Table.Cell(item.reason.text(on: console.terminal)),
                Table.Cell(item.size.map(Quantity.bytes) ?? "", .dim),
                Table.Cell(path, isPath: true),
                Table.Cell(Self.kept(onRemote: item.place.known == .remote, ofRemoved: item.isRemoved), .dim),
            ])
        }
        if !items.isEmpty { console.print(lines: table.lines(on: console.terminal)) }
    }

    /// Where a version is kept, if that needs to be mentioned.
    private static func kept(onRemote: Bool, ofRemoved: Bool) -> String {
        switch (onRemote, ofRemoved) {
        case (false, false): ""
        case (true, false): tr("on the remote")
        case (false, true): tr("folder removed")
        case (true, true): tr("on the remote, folder removed")
        }
    }
}

struct TrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: tr("Put an item back, in its newest version, or all since a moment."),
        discussion: tr(
            """
            A directory that was deleted comes back with everything in it that was deleted. What is kept on the \
            remote is put back there and comes to the folder with the next sync. Nothing is replaced: if another \
            item has the name, the restored one gets “(restored)” in its name.

            With --all and --since everything that was replaced or deleted since a moment is restored as it was \
            then: of each path the oldest version that was kept since. PATH is then a folder or something in it; \
            without it all folders. WHEN is 90s, 30min, 2h, 3d or 2w ago, or a date such as 2026-11-20, “2026-11-20 \
            14:00” or 2026-11-20T14:00:05Z. The exit status is 2 if something could not be restored or one side does \
            not answer.

            A version that the server keeps by itself is downloaded with --server, and gets a name of its own like the \
            others.

            Versions of a folder that is no longer synced go back to where the folder was, or to another directory \
            with --to.
            """))

    @Argument(help: ArgumentHelp(tr("Where it was."), valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: ArgumentHelp(tr("Everything that was replaced or deleted since --since.")))
    var all = false

    @Option(help: ArgumentHelp(tr("How long ago, or when, for --all."), valueName: "when"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            tr("The version that was kept at this time instead of the newest, as `roundel history` prints it."),
            valueName: "time"))
    var kept: String?

    @Option(
        help: ArgumentHelp(
            tr("The version on the server that was written at this time, as `roundel history` prints it."),
            valueName: "time"))
    var server: String?

    @Option(
        help: ArgumentHelp(tr("Restore below this directory, by the path in the folder."), valueName: "directory"),
        completion: .directory)
    var to: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all != (since != nil) { throw ValidationError(tr("--all and --since go together.")) }
        if path == nil && !all { throw ValidationError(tr("Give a PATH, or --all with --since.")) }
        if kept != nil && all { throw ValidationError(tr("Give --kept or --all, not both.")) }
        if server != nil && (all || kept != nil) {
            throw ValidationError(tr("Give only one of --server, --kept and --all."))
        }
        if server != nil && to != nil { throw ValidationError(tr("--server and --to cannot be combined.")) }
        for time in [kept, server].compactMap({ $0 }) where WrittenDate(time) == nil {
            throw ValidationError(
                tr("“{1}” is not a time: write it as `roundel history` does, “2026-11-20 14:00:05”.", time))
        }
        if let since, PastMoment(since) == nil {
            throw ValidationError(
                tr("“{1}” is not a moment in the past: write 2h, 3d, 2026-11-20 or “2026-11-20 14:00”.", since))
        }
    }

    func run() async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let target = try to.map { try ItemArgument.parse($0).text }
        let engines = Engines(bus: try await Bus.open())
        if let moment = since.flatMap({ PastMoment($0) }) {
            try await restoreAll(item, since: moment, to: target, by: engines)
        } else if let item, let moment = server.flatMap({ WrittenDate($0) }) {
            report(
                try await restoreFromServer(item, moment, by: engines), side: .local, count: 1, comesFromRemote: false)
        } else if let item {
            let version = try await version(of: item, engines)
            let restored = try await engines.ask(keeperOf: item) {
                try await $0.restoreTrash(item.uri, id: version, to: target)
            }
            report(
                restored.uri, side: restored.side, count: restored.count,
                comesFromRemote: restored.side == .remote && restored.isSynced)
        }
    }

    /// The version that was asked for; nil for the newest.
    private func version(of item: ItemURI, _ engines: Engines) async throws -> String? {
        guard let kept, let moment = WrittenDate(kept) else { return nil }
        let history = try await ItemHistory.load(of: item, engines)
        if let version = history.version(keptAt: moment.seconds) { return version.id }
        throw CommandFailure(
            tr(
                "No version of “{1}” was kept at {2}. See: roundel history {3}", item.sentencePath, kept,
                WorkerPath.shellWord(item.uri)))
    }

    /// Returns the URI of the restored version.
    private func restoreFromServer(
        _ item: ItemURI, _ moment: WrittenDate, by engines: Engines
    ) async throws -> String {
        let versions = try await engines.serverVersions(of: item)
        guard let version = versions.first(where: { $0.time / 1_000_000 == moment.seconds }) else {
            throw CommandFailure(
                tr(
                    "The server has no version of “{1}” from {2}. See: roundel history {3}", item.sentencePath,
                    server ?? "", WorkerPath.shellWord(item.uri)))
        }
        return try await engines.restoreServerVersion(version.id, of: item)
    }

    private func report(_ uri: String, side: TrashProxy.Side, count: UInt32, comesFromRemote: Bool) {
        let console = Console()
        if output.json {
            console.print(
                .object(
                    JSON.item(uri) + [.init("side", .string(side.rawValue)), .init("count", .number(count))]))
        } else {
            let text = Self.restored(count, at: WorkerPath.sentence(uri), comesFromRemote: comesFromRemote)
            console.print(DisplayText.escaped(text))
        }
    }

    private func restoreAll(
        _ item: ItemURI?, since moment: PastMoment, to target: String?, by engines: Engines
    ) async throws {
        let call = try await engines.restoration(of: item, since: moment.microseconds, to: target)
        let result = try await FollowedCall.end(of: call, isShown: !output.json) { done, _ in
            [tr("Restoring: {1} of {2}", "\(done.done)", "\(done.total)")]
        }
        let console = Console()
        for folder in result.unlisted {
            Console.complain(TrashCommand.notAllListed(of: folder))
        }
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(since: TimeText.local(moment.microseconds), on: console.terminal))
        }
        try finish(result.failed > 0 || !result.unlisted.isEmpty ? .needsUser : .done)
    }

    static func restored(_ count: UInt32, at path: String, comesFromRemote: Bool) -> String {
        comesFromRemote
            ? tr(
                count, one: "Restored on the remote: {2}. It comes to this computer with the next sync.",
                other: "Restored on the remote: {1} items of {2}. They come to this computer with the next sync.", path)
            : tr(count, one: "Restored as {2}.", other: "Restored {1} items of {2}.", path)
    }
}

struct TrashDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: tr("Delete for good what is kept of an item and of all in it."),
        discussion: tr(
            """
            What is in the desktop's trash stays there until that is emptied. The exit status is 2 if one side does \
            not answer.
            """))

    @Argument(
        help: ArgumentHelp(tr("Where it was, or a folder, synced or not."), valueName: "path"), completion: .file())
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
            console.print(
                tr(
                    deleted.versions, one: "1 kept version ({2}) was deleted.",
                    other: "{1} kept versions ({2}) were deleted.", Quantity.bytes(deleted.bytes)))
            if deleted.desktop > 0 {
                console.print(
                    tr(
                        deleted.desktop, one: "1 item is in the desktop's trash; empty that to delete it.",
                        other: "{1} items are in the desktop's trash; empty that to delete them."))
            }
        }
        if deleted.isPartial {
            Console.complain(
                tr("Not everything kept of “{1}” was deleted: one of its sides does not answer.", item.uri.sentencePath)
            )
        }
        try finish(deleted.isPartial ? .needsUser : .done)
    }
}

extension SyncRestoration {
    /// The items that could not be restored, then the totals.
    func lines(since time: String, on terminal: Terminal) -> [String] {
        var table = Table([.left, .left], flexible: 0)
        for item in items {
            let path = Table.Cell(WorkerPath.shown(item.uri, on: terminal), isPath: true)
            table.append([path, Table.Cell(item.message, .dim)])
        }
        var lines = table.lines(on: terminal)
        let unnamed = failed - min(failed, UInt64(items.count))
        if unnamed > 0 { lines.append(Quantity.more(unnamed)) }
        if restored == 0 && failed == 0 {
            return lines + [tr("Nothing is kept that was replaced or deleted since {1}.", time)]
        }
        lines.append(tr(restored, one: "1 item was restored.", other: "{1} items were restored."))
        if beside > 0 {
            lines.append(
                tr(
                    beside, one: "1 of them is beside what has its name now, with “(restored)” in its own.",
                    other: "{1} of them are beside what has their names now, with “(restored)” in their own."))
        }
        if failed > 0 {
            lines.append(tr(failed, one: "1 item could not be restored.", other: "{1} items could not be restored."))
        }
        return lines
    }
}
